namespace Ripple.Engine.Links;

/// <summary>Takes the links others open to this node. Called on the core thread.</summary>
internal interface ILinkAcceptor
{
    /// <summary>A link whose other side was authenticated and admitted. Set its handler before returning, or it is closed.</summary>
    void OnLink(ILink link);
}
