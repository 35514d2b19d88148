using System.Net;
using Ripple.Client.Scheduling;
using Ripple.Client.Snapshots;
using Ripple.Client.Verification;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Transports.Links;
using Ripple.Trust;

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

    /// <summary>Runs the clients' work outside the core.</summary>
    IClientScheduler Scheduler { get; }

    /// <summary>The files for snapshots.</summary>
    ISnapshotFiles Files { get; }

    /// <summary>
    /// Queues a request for the core; blocks while the queue is full. Dropped once the core has stopped. Thread-safe; not on the core.
    /// </summary>
    void Post(Request request);

    /// <summary>The verifier of an authority's releases. Give it back with <see cref="SharedVerifier.Release"/>. Thread-safe.</summary>
    /// <param name="fingerprint">SHA-256 of the authority's certificate.</param>
    SharedVerifier AcquireVerifier(ReadOnlySpan<byte> fingerprint);

    /// <summary>The handler to give to a node instead of a client's own, which it must pass every event to. Core thread.</summary>
    INodeHandler Observe(INodeHandler handler);

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

/// <summary>A connector that knows the authority the hosts proved to belong to.</summary>
internal interface IClientConnector : ILinkConnector, IAsyncDisposable
{
    /// <summary>The pinned authority's certificate; null until a host has presented it. Thread-safe.</summary>
    AuthorityTrust? Authority { get; }
}
