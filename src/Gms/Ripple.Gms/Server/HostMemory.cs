using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Gms.Api;
using Ripple.Gms.Core;
using Ripple.Gms.Endpoint;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;
using Ripple.Transports.Links;
using Ripple.Transports.Udp;

namespace Ripple.Gms.Server;

/// <summary>
/// The memory bounds of a host as configured: every window, cache, queue and pool. Not included: applications' key tables, which are as
/// large as the published state; those of past states while they are read, two at a time, or gone back to, one an application; and
/// Kestrel's request buffers.
/// </summary>
internal static class HostMemory
{
    /// <summary>
    /// Memory of a host before any connection: runtime, code, HTTP server, SQLite. Measured, see <c>docs/design/performance.md</c>.
    /// </summary>
    internal const long IdleProcessBytes = 112L * 1_024 * 1_024;

    /// <summary>Memory of a connection besides its own lines: TLS, the server's transport, the session. Measured, as above.</summary>
    private const long OpenConnectionBytes = 96 * 1_024;

    /// <summary>Memory of a connection that has said a ClientHello at most; the few in their handshake have more.</summary>
    private const long UnadmittedConnectionBytes = 16 * 1_024;

    /// <summary>The memory budget of a host with these options.</summary>
    public static MemoryBudget Of(GmsServerOptions options)
    {
        var budget = new MemoryBudget();
        budget.Add(MemoryScope.Process, MemoryKind.Fixed, "runtime and code (measured)", 1, IdleProcessBytes);
        CoreLoop.AddMemory(budget, options.Core);
        UdpPort.AddMemory(budget, new UdpPortOptions(), ports: 2);
        EventDrain.AddMemory(budget);
        NodeAudit.AddMemory(budget);
        if (options.StoreFile is null)
        {
            SqliteHostStore.AddMemory(budget, options.Store);
        }
        else
        {
            PostgresHostStore.AddMemory(budget, options.Store);
        }

        ApiLimits.AddMemory(budget);
        PublishPreparer.AddMemory(budget);
        ShortFormMaker.AddMemory(budget);
        HostCore.AddMemory(budget, options.Gms);
        StreamLink.AddMemory(budget, GmsServerOptions.MakeLink());
        budget.Add(
            MemoryScope.Process,
            MemoryKind.Transient,
            "connections not admitted yet",
            LinkEndpointOptions.UnadmittedMaxDefault,
            UnadmittedConnectionBytes);
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "TLS, transport and session (measured)", 1, OpenConnectionBytes);
        return budget;
    }
}
