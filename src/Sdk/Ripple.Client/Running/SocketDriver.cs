using System.Buffers.Binary;
using System.Net;
using System.Security.Cryptography;
using Ripple.Client.Diagnostics;
using Ripple.Client.Scheduling;
using Ripple.Client.Snapshots;
using Ripple.Client.Verification;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Transports.Links;
using Ripple.Transports.Running;
using Ripple.Transports.Udp;
using Ripple.Trust;

namespace Ripple.Client.Running;

/// <summary>Runs a core on its own thread, with UDP sockets and TLS connections.</summary>
internal sealed class SocketDriver : IRuntimeDriver
{
    private const int FirstWaitMs = 1;
    private const int WaitMsMax = 16;
    private readonly CoreRunner _runner;
    private readonly UdpPorts _ports;
    private readonly CancellationTokenSource _stopped = new();
    private readonly Task _stopNotified;

    private SocketDriver(RippleRuntimeOptions options)
    {
        Span<byte> seed = stackalloc byte[sizeof(ulong)];
        RandomNumberGenerator.Fill(seed);
        var sizes = new CoreOptions { RequestsMax = options.RequestsMax, AlarmsMax = options.TimersMax };
        Core = new CoreLoop(sizes, BinaryPrimitives.ReadUInt64LittleEndian(seed));
        // A fault stops this core and its clients, but not the process: every call throws it, and the service decides whether to continue.
        _runner = new CoreRunner(Core, new CoreRunnerOptions { Name = options.Name, OnFailed = _ => { } });
        _ports = new UdpPorts(_runner);
        ClientTelemetry.Opened(_ports);
        _stopNotified = _runner.Ended.ContinueWith(
            _ => _stopped.Cancel(), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
    }

    public CoreLoop Core { get; }

    public CancellationToken Stopped => _stopped.Token;

    public Exception? Failure => _runner.Failure;

    public IClientScheduler Scheduler => PoolScheduler.Instance;

    public ISnapshotFiles Files => SystemFiles.Instance;

    public static SocketDriver Start(RippleRuntimeOptions options)
    {
        var driver = new SocketDriver(options);
        driver._runner.Start();
        return driver;
    }

    public void Post(Request request)
    {
        for (int waitMs = FirstWaitMs; !Core.Requests.TryPost(request); waitMs = Math.Min(2 * waitMs, WaitMsMax))
        {
            if (Stopped.WaitHandle.WaitOne(waitMs))
            {
                return;
            }
        }
    }

    public SharedVerifier AcquireVerifier(ReadOnlySpan<byte> fingerprint) => SharedVerifier.Acquire(fingerprint);

    public INodeHandler Observe(INodeHandler handler) => handler;

    public IDatagramPort OpenPort(IPAddress local, IPAddress? advertised, PortLane lane) =>
        _ports.Open(new UdpPortOptions { Lane = lane, LocalAddress = local, AdvertisedAddress = advertised });

    public IDatagramGroups? GroupsOn(IPAddress local) => new UdpGroups(_ports, local);

    public IClientConnector OpenConnector(LinkConnectorOptions options) => new TlsClientConnector(Core.Requests, options);

    public async ValueTask DisposeAsync()
    {
        // Stop blocks until the core's current turn ends, so do not call it on the caller's thread, which may be a pool thread.
        await Task.Run(_runner.Stop).ConfigureAwait(false);
        await _runner.Ended.ConfigureAwait(false);
        _ports.Dispose();
        ClientTelemetry.Closed(_ports);
        // The callbacks of Stopped have run when this returns.
        await _stopNotified.ConfigureAwait(false);
    }
}

/// <summary>Connects to hosts over TCP with TLS.</summary>
internal sealed class TlsClientConnector(RequestQueue requests, LinkConnectorOptions options) : IClientConnector
{
    private readonly TlsLinkConnector _connector = new(requests, options);

    public AuthorityTrust? Authority => _connector.Authority;

    public ILinkConnectAttempt Connect(string endpoint, ILinkConnectResult result) => _connector.Connect(endpoint, result);

    public ValueTask DisposeAsync() => _connector.DisposeAsync();
}
