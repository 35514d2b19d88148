using System.Net;
using Ripple.Client.Running;
using Ripple.Client.Scheduling;
using Ripple.Client.Snapshots;
using Ripple.Client.Spaces;
using Ripple.Client.Verification;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Wire;
using Ripple.Transports.Links;

namespace Ripple.Client.Tests.Spaces;

/// <summary>A client's events on a core that the test steps, with a link that keeps what is sent. All in the test's thread.</summary>
internal sealed class SpaceRig : ILink
{
    public const string Shop = "shop";

    private readonly Driver _driver = new();
    private readonly List<(ushort Type, byte[] Body)> _sent = [];
    private long _nowNs = 1;

    public SpaceRig()
    {
        Hub = new SpaceHub(new CoreDispatcher(_driver));
        Hub.Start(() => this);
        Run(0);
    }

    public SpaceHub Hub { get; }

    public SpaceTraffic Traffic => Hub.Of(Shop);

    /// <inheritdoc/>
    public LinkPeer Peer => throw new NotSupportedException();

    /// <inheritdoc/>
    public ILinkHandler? Handler { get; set; }

    /// <inheritdoc/>
    public int SendRoomBytes { get; set; } = 1_048_576;

    public Subscription Subscribe()
    {
        var subscription = new Subscription([], blocks: false, PoolScheduler.Instance);
        Traffic.Subscriptions.Add(subscription);
        return subscription;
    }

    /// <summary>Lets time pass.</summary>
    public void Run(long ns) => _driver.Core.DoWork(_nowNs += ns);

    /// <summary>The messages of a kind that were sent since they were last taken.</summary>
    public List<T> Take<T>()
        where T : class, IMessage<T>
    {
        List<T> taken = [.. _sent.Where(s => s.Type == (ushort)T.Type).Select(s => Read<T>(s.Body))];
        _sent.RemoveAll(s => s.Type == (ushort)T.Type);
        return taken;
    }

    /// <inheritdoc/>
    public bool TrySend(ushort type, ReadOnlySpan<byte> body)
    {
        _sent.Add((type, body.ToArray()));
        return true;
    }

    /// <inheritdoc/>
    public void Hold() => throw new NotSupportedException();

    /// <inheritdoc/>
    public void GoOn() => throw new NotSupportedException();

    /// <inheritdoc/>
    public void Close(string reason) => throw new NotSupportedException();

    private static T Read<T>(byte[] body)
        where T : class, IMessage<T> =>
        MessageCodec.TryRead(body, out T? message) == DecodeStatus.Ok
            ? message!
            : throw new InvalidOperationException("What was sent cannot be read.");

    private sealed class Driver : IRuntimeDriver
    {
        public CoreLoop Core { get; } = new(new CoreOptions(), 1);

        public CancellationToken Stopped => CancellationToken.None;

        public Exception? Failure => null;

        public IClientScheduler Scheduler => PoolScheduler.Instance;

        public ISnapshotFiles Files => throw new NotSupportedException();

        public void Post(Request request) => Assert.True(Core.Requests.TryPost(request));

        public SharedVerifier AcquireVerifier(ReadOnlySpan<byte> fingerprint) => throw new NotSupportedException();

        public INodeHandler Observe(INodeHandler handler) => handler;

        public IDatagramPort OpenPort(IPAddress local, IPAddress? advertised, PortLane lane) => throw new NotSupportedException();

        public IDatagramGroups? GroupsOn(IPAddress local) => null;

        public IClientConnector OpenConnector(LinkConnectorOptions options) => throw new NotSupportedException();

        public ValueTask DisposeAsync() => default;
    }
}
