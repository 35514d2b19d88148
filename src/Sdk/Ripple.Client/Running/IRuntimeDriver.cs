using System.Net;
using Ripple.Engine.Core;
using Ripple.Transports.Links;

namespace Ripple.Client.Running;

/// <summary>
/// A runtime's core and its environment, which runs and connects it: threads and sockets in a process, or a stepped simulation. Disposing
/// it stops the core.
/// </summary>
internal interface IRuntimeDriver : IAsyncDisposable
{
    /// <summary>The core.</summary>
    CoreLoop Core { get; }

    /// <summary>Canceled once the core has stopped, for any reason: no more requests are executed.</summary>
    CancellationToken Stopped { get; }

    /// <summary>The fault that stopped the core; null while it runs, and if it was stopped on purpose.</summary>
    Exception? Failure { get; }

    /// <summary>Opens a datagram port. Core thread.</summary>
    /// <param name="local">The address to bind.</param>
    /// <param name="advertised">The address at which others reach it; null for the bound one.</param>
    /// <param name="lane">The kind of packets the port carries.</param>
    IDatagramPort OpenPort(IPAddress local, IPAddress? advertised, PortLane lane);

    /// <summary>The multicast groups of the interface with this address; null if this runtime has no multicast.</summary>
    IDatagramGroups? GroupsOn(IPAddress local);

    /// <summary>Creates a connector. Thread-safe.</summary>
    IClientConnector OpenConnector(LinkConnectorOptions options);
}
