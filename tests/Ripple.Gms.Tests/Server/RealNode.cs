using System.Collections.Concurrent;
using System.Text;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Transports.Links;
using Ripple.Transports.Running;
using Ripple.Transports.Udp;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>The engine's node over real sockets, with the least around it.</summary>
internal sealed class RealNode : INodeHandler, ISignatureVerifier, IAsyncDisposable
{
    private readonly CoreRunner _runner;
    private readonly TlsLinkConnector _connector;
    private readonly ConnectionString _connection;
    private readonly HashSet<(Digest160 Id, Digest160 Signature)> _verified = [];
    private readonly ReleaseVerifier _verifier;
    private UdpPorts? _ports;
    private Node? _node;

    private RealNode(ConnectionString connection, AuthorityTrust trust)
    {
        _connection = connection;
        _verifier = new ReleaseVerifier(trust);
        ClusterId = trust.ClusterId;
        _runner = new CoreRunner(new CoreLoop(new CoreOptions(), 1));
        LinkConnectorOptions options = LinkConnectorOptions.From(connection) with
        {
            Name = "node-1",
            ConnectTimeout = ControlHarness.Patience,
        };
        _connector = new TlsLinkConnector(_runner.Loop.Requests, options);
    }

    public Id128 ClusterId { get; }

    public ConcurrentQueue<string> Disconnects { get; } = new();

    public TaskCompletionSource<JoinAccepted> Joined { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>What took effect, by release.</summary>
    public ConcurrentDictionary<ulong, ApplicationState> Applied { get; } = new();

    public static async Task<RealNode> StartAsync(ConnectionString connection, AuthorityTrust trust)
    {
        var node = new RealNode(connection, trust);
        node._runner.Start();
        await node._runner.RunAsync(node.Make);
        return node;
    }

    public async Task<PublishResult> PublishAsync(string key, string text)
    {
        var done = new TaskCompletionSource<PublishResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        byte[] body = Encoding.UTF8.GetBytes(text);
        await _runner.RunAsync(() =>
        {
            uint call = 0;
            call = _node!.Calls.Register(answer =>
            {
                _node.Calls.Complete(call);
                done.SetResult((PublishResult)answer!);
            });
            Assert.True(
                _node.Link!.TrySend(
                    new PublishBegin(call, "default", Guid.NewGuid(), PublishBegin.AnyRelease, "a test", string.Empty, [new PublishKey(
                        key, false, (uint)body.Length)])));
            Assert.True(_node.Link!.TrySend(new PublishPart(call, body)));
        });
        return await done.Task.WaitAsync(ControlHarness.Patience, TestContext.Current.CancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        await _runner.RunAsync(() =>
        {
            _node!.Dispose();
            _ports!.Dispose();
        });
        await _connector.DisposeAsync();
        _runner.Dispose();
        _verifier.Dispose();
    }

    public ConcurrentQueue<IntakeRefusal> Refusals { get; } = [];

    void INodeHandler.OnJoined(LinkPeer self, JoinAccepted accepted) => Joined.TrySetResult(accepted);

    void INodeHandler.OnDisconnected(string reason, bool isRefusal) => Disconnects.Enqueue(reason);

    void INodeHandler.OnRefused(string application, IntakeRefusal refusal) => Refusals.Enqueue(refusal);

    void INodeHandler.OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide) => decide(null);

    void INodeHandler.OnApplied(ApplicationReplica replica, ApplicationState state) => Applied[state.Keys.Release] = state;

    bool INodeHandler.TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done)
    {
        _ = Task.Run(() => _runner.Complete(() => done(true)));
        return true;
    }

    bool ISignatureVerifier.IsVerified(ReleaseSignature signature, in Digest160 id) =>
        _verified.Contains((id, Digest160.Hash("signature"u8, signature.Encode())));

    void ISignatureVerifier.Verify(ReleaseSignature signature, Digest160 id, Action<bool> done) => _ = Task.Run(() =>
    {
        bool isGood = _verifier.Verify(signature.SignerId, ClusterId, id.ToArray(), signature.Bytes.Span) == SignatureStatus.Verified;
        _runner.Complete(() =>
        {
            if (isGood)
            {
                _verified.Add((id, Digest160.Hash("signature"u8, signature.Encode())));
            }

            done(isGood);
        });
    });

    bool ISignatureVerifier.TryAddSigner(ReadOnlyMemory<byte> certificate) => _verifier.TryAdd(certificate.Span, out _);

    private void Make()
    {
        _ports = new UdpPorts(_runner);
        var doors = new NodeDependencies(
            _connector, [.. _connection.Endpoints.Select(e => e.ToString())], _ports.Open(), _ports.Open(
                new UdpPortOptions { Lane = PortLane.Control }), this, this);
        _node = new Node(_runner.Loop, new NodeOptions { Application = "default", Name = "node-1" }, doors);
    }
}
