namespace Ripple.Engine.Links;

/// <summary>Receives the links that others open to this node. Called on the core thread.</summary>
internal interface ILinkAcceptor
{
    /// <summary>A link whose other side was authenticated and admitted. Set its handler before returning, or the link is closed.</summary>
    void OnLink(ILink link);
}
