using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms;
using Ripple.Gms.Calls;
using Ripple.Gms.Core;
using Ripple.Gms.Endpoint;
using Ripple.Gms.Placement;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;
using Ripple.Gms.Store;
using Ripple.Transports.Running;
using Ripple.Transports.Udp;
using Ripple.Trust;

namespace Ripple.Client.Tests.Hosting;

/// <summary>
/// A real host in the test's process: SQLite in a temporary folder, TLS and UDP on loopback. It can be stopped and started again on the
/// same port.
/// </summary>
internal sealed class TestHost : IAsyncDisposable, IWallClock, IKeySource, IPublishPreparer, IEnrollmentPolicy
{
    private readonly string _folder = Directory.CreateTempSubdirectory("ripple-host-").FullName;
    private readonly ClusterAuthority _authority = ClusterAuthority.Create();
    private readonly X509Certificate2 _certificate;
    private readonly Signer _signer;
    private readonly GmsOptions _options;
    private readonly AccessTokenSecret _token = AccessTokenSecret.New();
    private CoreRunner? _runner;
    private UdpPorts? _ports;
    private SqliteHostStore? _store;
    private HostCore? _gms;
    private LinkListener? _listener;
    private int _port;

    private TestHost(GmsOptions options)
    {
        _options = options;
        _certificate = _authority.IssueHost("host", ["localhost"]);
        _signer = new Signer(_authority);
    }

    public ClusterAuthority Authority => _authority;

    public int Port => _port;

    public long UnixMicros => DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() * 1_000;

    /// <summary>When set, the next publishes wait for it before they are prepared.</summary>
    public Task PrepareGate { get; set; } = Task.CompletedTask;

    /// <summary>What the next publishes are answered with instead of being done.</summary>
    public ConcurrentQueue<Refusal> PublishRefusals { get; } = [];

    /// <summary>The publish id of each publish that was prepared, also of those that were refused.</summary>
    public ConcurrentQueue<Guid> Prepared { get; } = [];

    public string ConnectionStringFor(string application) =>
        $"Endpoints=127.0.0.1:{_port};Authority=sha256:{Convert.ToHexStringLower(_authority.Trust.Fingerprint.Span)};Token="
            + $"{_token.Reveal()};Application={application}";

    public static Task<TestHost> StartNewAsync(params string[] applications) => StartNewAsync(new GmsOptions(), applications);

    public static async Task<TestHost> StartNewAsync(GmsOptions options, params string[] applications)
    {
        var host = new TestHost(options);
        using (var store = new SqliteHostStore(host.StorePath))
        {
            await host.CommitAsync(store, new CommitBatch
            {
                ClusterId = Guid.NewGuid(),
                Applications = [.. applications.Select((name, i) => new NewApplication((uint)i + 1, name, 1))],
                Tokens = [AccessTokenChange.Create(
                    new AccessToken(
                        host._token.Id, host._token.Hash, AccessTokenGrant.For(["*"], AccessRole.Admin), host.UnixMicros, null, null),
                    "test")],
            });
        }

        await host.StartAsync();
        return host;
    }

    public async Task StartAsync()
    {
        var store = new SqliteHostStore(StorePath);
        _store = store;
        HostState state = store.Load();
        GmsStart start = GmsStart.Plan(state, UnixMicros);
        await CommitAsync(store, start.Batch);
        var core = new CoreLoop(new CoreOptions(), BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8)));
        var runner = new CoreRunner(core, new CoreRunnerOptions { Name = "host core" });
        _runner = runner;
        _ports = new UdpPorts(runner);
        var context = new HostContext(core, store, _signer, runner, this, _options, start.SlotEpoch);
        var ports = new HostPorts(_ports.Open(), _ports.Open(new UdpPortOptions { Lane = PortLane.Control }));
        _gms = new HostCore(context, state, ports, this, this, new GmsEvents(null));
        runner.Start();
        var endpoint = new LinkEndpoint(new LinkEndpointOptions
        {
            Authority = _authority,
            HostCertificate = _certificate,
            Requests = core.Requests,
            Acceptor = _gms,
            Enrollment = this,
        });
        _listener = await LinkListener.StartAsync(endpoint, new IPEndPoint(IPAddress.Loopback, _port));
        _port = _listener.Port;
    }

    public async Task StopAsync()
    {
        if (_runner is not { } runner)
        {
            return;
        }

        await runner.RunAsync(() => _gms!.Stop("the test stops the host"));
        await _listener!.DisposeAsync();
        await runner.RunAsync(() => _gms!.Dispose());
        runner.Stop();
        _ports!.Dispose();
        _store!.Dispose();
        _runner = null;
    }

    /// <summary>Tells every node where the hosts of the cluster are.</summary>
    public Task TellHostsAsync(params string[] endpoints) => _runner!.RunAsync(() => _gms!.TellHosts(endpoints));

    /// <summary>Revokes the token every client uses.</summary>
    public Task RevokeAsync() =>
        CommitAsync(_store!, new CommitBatch { Tokens = [AccessTokenChange.Revoke(_token.Id, UnixMicros, "test")] });

    /// <summary>Publishes a definition, as an administrator does.</summary>
    public async Task DefineAsync(string companion, string key, string value)
    {
        var done = new TaskCompletionSource<PublishAnswer>(TaskCreationOptions.RunContinuationsAsynchronously);
        var caller = new Caller(_token.Id, "test");
        var input = new PublishInput(
            companion, Guid.NewGuid(), ExpectedState.Any, "test", [new PublishInputKey(key, Encoding.UTF8.GetBytes(value))]);
        await _runner!.RunAsync(() =>
        {
            PublishCalls publishing = _gms!.Calls.Publishing;
            UploadBudget.Lease? lease = publishing.TryBegin(caller, companion, input.ValueBytes, input.HeadBytes, out Refusal? refusal);
            Assert.True(lease is not null, refusal?.Text);
            publishing.Publish(caller, input, lease, () => { }, done.SetResult);
        });
        PublishAnswer answer = await done.Task;
        Assert.True(answer.Code == Engine.Protocol.ErrorCode.None, answer.Text);
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _signer.Dispose();
        _certificate.Dispose();
        _authority.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    public byte[] NewRegionKey() => RandomNumberGenerator.GetBytes(16);

    public byte[] NewMemberKey() => RandomNumberGenerator.GetBytes(32);

    public bool TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done)
    {
        _ = Task.Run(async () =>
        {
            await PrepareGate;
            Prepared.Enqueue(input.PublishId);
            if (PublishRefusals.TryDequeue(out Refusal? scripted))
            {
                done(null, scripted);
                return;
            }

            PreparedPublish? prepared = PublishPreparation.Prepare(input, out Refusal? refusal);
            done(prepared, refusal);
        });
        return true;
    }

    public EnrollDecision Decide(string tokenText, string application, string name) =>
        AccessTokenSecret.TryParse(tokenText, out AccessTokenSecret? token) && token!.Id == _token.Id && token.Matches(_token.Hash.Span)
            ? EnrollDecision.Admit(application, NodeRoles.Admin, token.Id)
            : EnrollDecision.Refuse("The token is not known here. Ask an administrator for one.");

    private string StorePath => Path.Combine(_folder, "ripple.db");

    private async Task CommitAsync(SqliteHostStore store, CommitBatch batch)
    {
        var done = new TaskCompletionSource<CommitResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        Assert.True(store.Commit(batch, result => done.SetResult(result)));
        CommitResult result = await done.Task;
        Assert.True(result.IsDone, result.ToString());
    }

    private sealed class Signer(ClusterAuthority authority) : IReleaseSigner, IDisposable
    {
        private readonly ReleaseSigner _signer = new(authority.IssueSigner("host"));

        public ReadOnlyMemory<byte> Certificate => _signer.CertificateDer;

        public void Sign(Digest160 id, Action<ReleaseSignature> done) => _ = Task.Run(() =>
        {
            byte[] bytes = new byte[ReleaseSigner.SignatureBytes];
            ulong signer = _signer.Sign(authority.ClusterId, id.ToArray(), bytes);
            done(new ReleaseSignature(signer, bytes));
        });

        public bool Verify(ReleaseSignature signature, in Digest160 id)
        {
            using var verifier = new ReleaseVerifier(authority.Trust);
            return verifier.TryAdd(Certificate.Span, out _)
                && verifier.Verify(signature.SignerId, authority.ClusterId, id.ToArray(), signature.Bytes.Span) == SignatureStatus.Verified;
        }

        public void Dispose() => _signer.Dispose();
    }
}
