using System.Net;
using Ripple.Engine.Core;
using Ripple.Transports.Control;

namespace Ripple.Client.Running;

/// <summary>What a runtime stands on: the core, who runs it, its ports and connections. Disposed of, the core runs no more.</summary>
internal interface IRuntimeDriver : IAsyncDisposable
{
    /// <summary>The core.</summary>
    CoreLoop Core { get; }

    /// <summary>Cancelled when the core stopped, for whatever reason: no request is executed any more.</summary>
    CancellationToken Stopped { get; }

    /// <summary>Why the core stopped by itself; null while it did not.</summary>
    Exception? Failure { get; }

    /// <summary>Opens a datagram port. Core thread.</summary>
    /// <param name="local">The address to bind.</param>
    /// <param name="advertised">The address others reach it at; null for the bound one.</param>
    /// <param name="lane">What comes through it.</param>
    IDatagramPort OpenPort(IPAddress local, IPAddress? advertised, PortLane lane);

    /// <summary>Joins multicast groups on the interface of an address. Null: this runtime has none.</summary>
    IDatagramGroups? GroupsOn(IPAddress local);

    /// <summary>Makes a connector. Any thread.</summary>
    IClientConnector OpenConnector(ControlConnectorOptions options);
}
