using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Gms.Api;
using Ripple.Gms.Core;
using Ripple.Gms.Store;
using Ripple.Transports.Links;
using Ripple.Transports.Udp;

namespace Ripple.Gms.Server;

/// <summary>
/// What a host may hold, as it is configured: every window, cache, queue and pool. Not in it: the key tables of applications, which are as
/// large as what is published, and what Kestrel lends to requests.
/// </summary>
internal static class HostMemory
{
    /// <summary>
    /// What a host takes before anybody connects: the runtime, code, the server of HTTP, SQLite. Measured, see
    /// <c>docs/design/performance.md</c>.
    /// </summary>
    internal const long IdleProcessBytes = 112L * 1_024 * 1_024;

    /// <summary>
    /// What a connection takes besides the lines of its own: TLS, the server's transport, the session. Measured, as above.
    /// </summary>
    private const long OpenConnectionBytes = 96 * 1_024;

    /// <summary>The lines of a host with these options.</summary>
    public static MemoryBudget Of(GmsServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var budget = new MemoryBudget();
        budget.Add(MemoryScope.Process, MemoryKind.Fixed, "runtime and code (measured)", 1, IdleProcessBytes);
        CoreLoop.AddMemory(budget, options.Core);
        UdpPort.AddMemory(budget, new UdpPortOptions(), ports: 2);
        EventDrain.AddMemory(budget);
        SqliteHostStore.AddMemory(budget, options.Store);
        ApiLimits.AddMemory(budget);
        HostCore.AddMemory(budget, options.Gms);
        StreamLink.AddMemory(budget, GmsServerOptions.MakeLink());
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "TLS, transport and session (measured)", 1, OpenConnectionBytes);
        return budget;
    }
}
