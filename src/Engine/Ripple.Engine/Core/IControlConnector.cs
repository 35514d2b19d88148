namespace Ripple.Engine.Core;

/// <summary>Makes control connections for one node. Core thread.</summary>
public interface IControlConnector
{
    /// <summary>How many end points it knows; they are tried by the caller, in its order.</summary>
    int EndpointCount { get; }

    /// <summary>Starts connecting to an end point, enrolling first when the node has no certificate yet. The answer comes on the core thread, later, once, unless
    /// <see cref="Cancel"/> is called before. One attempt at a time.</summary>
    void Connect(int endpointIndex, IControlConnectHandler handler);

    /// <summary>Gives up the attempt under way, if any; its handler is not called.</summary>
    void Cancel();
}
