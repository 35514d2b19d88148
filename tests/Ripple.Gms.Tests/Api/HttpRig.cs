using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Releases;
using Ripple.Gms.Api;
using Ripple.Gms.Core;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Calls;
using Ripple.Gms.Tests.Store;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;
using Ripple.Transports.Running;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Api;

/// <summary>
/// A host's HTTP door on a scripted store, without sockets, TLS and files: requests are calls. Of what classes a host is made, this alone
/// knows. There are the applications <c>shop</c> and <c>other</c>, and tokens by what they are good for.
/// </summary>
internal sealed class HttpRig : IAsyncDisposable, IWallClock, IKeySource, IPublishPreparer, IReleaseSigner
{
    public const string Publish = "/v1/applications/shop/releases";
    public const string Rollback = "/v1/applications/shop/rollback";
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(2);
    private readonly Lock _gate = new();
    private readonly CoreRunner _runner = new(new CoreLoop(new CoreOptions(), 3));
    private readonly SimulatedSigner _signer = new SimulatedAuthority(new DeterministicRandom(5)).CreateSigner("host");
    private readonly InProcessServer _server = new();
    private readonly SimulatedHostStore _inner;
    private long _unixMicros = 1_700_000_000_000_000;
    private HostCore? _host;
    private WebApplication? _web;

    private HttpRig()
    {
        var disk = new SimulatedDisk((_, action) => ThreadPool.QueueUserWorkItem(_ => Locked(action)), new DeterministicRandom(2));
        lock (_gate)
        {
            using (SimulatedHostStore store = disk.Open())
            {
                store.Commit(
                    new CommitBatch
                    {
                        Applications = [new NewApplication(1, "shop", 1), new NewApplication(2, "other", 1)],
                        Tokens =
                        [
                            Token(Node, "shop", AccessRole.Node),
                            Token(Publisher, "shop", AccessRole.Publisher),
                            Token(Admin, AccessTokenGrant.All, AccessRole.Admin),
                            Token(Stranger, "other", AccessRole.Publisher),
                        ],
                    },
                    _ => { });
            }

            _inner = disk.Open();
        }

        Store = new ScriptedStore(_inner, action => ThreadPool.QueueUserWorkItem(_ => action()), _gate);
    }

    public static CancellationToken Cancel => TestContext.Current.CancellationToken;

    /// <summary>A node of the first application.</summary>
    public AccessTokenSecret Node { get; } = AccessTokenSecret.New();

    /// <summary>A publisher of the first application.</summary>
    public AccessTokenSecret Publisher { get; } = AccessTokenSecret.New();

    /// <summary>An administrator of the cluster.</summary>
    public AccessTokenSecret Admin { get; } = AccessTokenSecret.New();

    /// <summary>A publisher of the other application.</summary>
    public AccessTokenSecret Stranger { get; } = AccessTokenSecret.New();

    public ScriptedStore Store { get; }

    /// <summary>The host's wall clock, which stands still until a test moves it.</summary>
    public long UnixMicros
    {
        get => Interlocked.Read(ref _unixMicros);
        set => Interlocked.Exchange(ref _unixMicros, value);
    }

    /// <summary>True: whoever is to prepare publishes has too many.</summary>
    public bool IsPreparerFull { get; set; }

    /// <summary>Publishes are prepared when this is done.</summary>
    public Task PrepareGate { get; set; } = Task.CompletedTask;

    /// <summary>Done when a publish came to be prepared.</summary>
    public TaskCompletionSource Preparing { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    ReadOnlyMemory<byte> IReleaseSigner.Certificate => _signer.Certificate;

    /// <summary>What the connections of requests show their token to; null for none.</summary>
    public IConnectionProof? Proof { get; set; }

    public static async Task<HttpRig> StartAsync(long? uploadBytesMax = null, CallLimits? calls = null)
    {
        var rig = new HttpRig();
        var options = new GmsOptions();
        await rig.StartAsync(options with
        {
            UploadBytesMax = uploadBytesMax ?? options.UploadBytesMax,
            Limits = options.Limits with { Calls = calls ?? options.Limits.Calls },
        });
        return rig;
    }

    /// <summary>One request; what was answered.</summary>
    public async Task<HttpAnswer> SendAsync(
        AccessTokenSecret token, string method, string target, string? json = null, params (string Name, string Value)[] headers)
    {
        int query = target.IndexOf('?', StringComparison.Ordinal);
        var request = new HttpRequestFeature
        {
            Method = method,
            Scheme = "https",
            Protocol = "HTTP/2",
            Path = Uri.UnescapeDataString(query < 0 ? target : target[..query]),
            QueryString = query < 0 ? "" : target[query..],
            Body = new MemoryStream(Encoding.UTF8.GetBytes(json ?? "")),
        };
        request.Headers.Host = "host";
        request.Headers.Authorization = $"Bearer {token.Reveal()}";
        if (json is not null)
        {
            request.Headers.ContentType = "application/json";
        }

        foreach ((string name, string value) in headers)
        {
            request.Headers[name] = value;
        }

        var response = new HttpResponseFeature();
        using var body = new MemoryStream();
        var features = new FeatureCollection();
        features.Set<IHttpRequestFeature>(request);
        features.Set<IHttpResponseFeature>(response);
        features.Set<IHttpResponseBodyFeature>(new StreamResponseBodyFeature(body));
        features.Set(Proof);
        features.Set<IHttpRequestBodyDetectionFeature>(new BodyDetection(json is not null));
        await _server.RunAsync(features).WaitAsync(Limit, Cancel);
        return new HttpAnswer(response.StatusCode, Encoding.UTF8.GetString(body.ToArray()), response.Headers);
    }

    public Task<HttpAnswer> GetAsync(AccessTokenSecret token, string target) => SendAsync(token, "GET", target);

    public Task<HttpAnswer> PostAsync(AccessTokenSecret token, string target, string json, params (string Name, string Value)[] headers) =>
        SendAsync(token, "POST", target, json, headers);

    /// <summary>Publishes one key, which must work.</summary>
    public async Task PublishedAsync(string key, string text) =>
        Assert.Equal(201, (await PostAsync(Publisher, Publish, Set(key, text))).Status);

    public static string Set(string key, string text, string note = "") =>
        $$"""{"set":[{"key":"{{key}}","text":"{{text}}"}],"note":"{{note}}"}""";

    /// <summary>Changes a token behind the host's back, as another program does; the host knows when this is done.</summary>
    public async Task ChangeAsync(AccessTokenChange change)
    {
        var done = new TaskCompletionSource<CommitResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        Locked(() => Assert.True(_inner.Commit(new CommitBatch { Tokens = [change] }, done.SetResult)));
        Assert.True((await done.Task.WaitAsync(Limit, Cancel)).IsDone);
        while (_host!.TokensVersion != Store.TokensVersion)
        {
            Cancel.ThrowIfCancellationRequested();
            await Task.Yield();
        }
    }

    /// <summary>The token that <see cref="CallRig"/> has by this name.</summary>
    public AccessTokenSecret TokenOf(string name) => name switch
    {
        CallRig.Node => Node,
        CallRig.Publisher => Publisher,
        CallRig.Admin => Admin,
        CallRig.Stranger => Stranger,
        _ => throw new ArgumentOutOfRangeException(nameof(name), name, "There is no token of this name."),
    };

    /// <summary>The bytes the host counts for publishes under way.</summary>
    public Task<long> UploadBytesAsync() => _runner.RunAsync(() => _host!.Calls.Publishing.Uploads.TotalBytes);

    /// <summary>How many publishes and rollbacks the host says it refused.</summary>
    public Task<long> RefusedCountAsync() => _runner.RunAsync(() => _host!.Counters.PublishesRefused);

    public async ValueTask DisposeAsync()
    {
        if (_web is not null)
        {
            await _web.DisposeAsync();
        }

        if (_host is { } host)
        {
            await _runner.RunAsync(host.Dispose);
        }

        _runner.Stop();
        Locked(Store.Dispose);
    }

    byte[] IKeySource.NewRegionKey() => new byte[16];

    byte[] IKeySource.NewMemberKey() => new byte[32];

    bool IPublishPreparer.TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done)
    {
        if (IsPreparerFull)
        {
            return false;
        }

        _ = Task.Run(async () =>
        {
            Preparing.TrySetResult();
            await PrepareGate;
            PreparedPublish? prepared = PublishPreparation.Prepare(input, out Refusal? refusal);
            done(prepared, refusal);
        });
        return true;
    }

    void IReleaseSigner.Sign(Digest160 id, Action<ReleaseSignature> done) => ThreadPool.QueueUserWorkItem(_ => done(_signer.Sign(id)));

    bool IReleaseSigner.Verify(ReleaseSignature signature, in Digest160 id) => true;

    private static AccessTokenChange Token(AccessTokenSecret secret, string application, AccessRole role) =>
        AccessTokenChange.Create(new AccessToken(secret.Id, secret.Hash, AccessTokenGrant.For([application], role), 1, null, null), "test");

    private void Locked(Action action)
    {
        lock (_gate)
        {
            action();
        }
    }

    private async Task StartAsync(GmsOptions options)
    {
        HostState state = Store.Load();
        _runner.Start();
        // Its ports lead nowhere: nobody joins.
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        machine.Start();
        var context = new HostContext(_runner.Loop, Store, this, _runner, this, options, 1);
        var ports = new HostPorts(world.Network.Open(machine), world.Network.Open(machine));
        HostCore host = _host = await _runner.RunAsync(() => new HostCore(context, state, ports, this, this, new GmsEvents(null)));
        var api = new ApiContext
        {
            Gateway = new HostGateway(_runner, host),
            Store = Store,
            Tokens = new AccessTokenList(Store),
            Clock = this,
            ClusterId = default,
            HostName = "host",
            AuthorityFingerprint = new byte[32],
            Endpoint = () => new HostEndpoint("127.0.0.1", 1),
            OnFault = (_, _) => { },
            TokensPerApplicationMax = 4,
        };
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new());
        builder.Services.AddSingleton<IServer>(_server);
        AdminApi.AddServices(builder.Services, api);
        _web = builder.Build();
        AdminApi.Map(_web, api);
        await _web.StartAsync(Cancel);
    }

    private sealed class BodyDetection(bool canHaveBody) : IHttpRequestBodyDetectionFeature
    {
        public bool CanHaveBody => canHaveBody;
    }
}
