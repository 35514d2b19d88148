namespace Ripple.Engine.Core;

/// <summary>Takes the connections that reach a host.</summary>
public interface IControlAcceptor
{
    /// <summary>A connection was accepted and its other side is proved. Core thread.</summary>
    void OnLink(IControlLink link);
}
