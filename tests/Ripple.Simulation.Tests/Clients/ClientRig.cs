using Ripple.Client;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Gms;
using Ripple.Gms.Store;
using Ripple.Testing.Clients;
using Ripple.Testing.Cluster;
using Ripple.Testing.Disks;
using Ripple.Testing.Signatures;
using Ripple.Testing.Simulation;

namespace Ripple.Simulation.Tests.Clients;

/// <summary>A host, and real clients that may publish, without faults: a test decides what goes wrong.</summary>
internal sealed class ClientRig
{
    public const string Application = "shop";
    private const string TokenId = "simulated";
    private readonly SimulatedAuthority _authority;

    public ClientRig(ulong seed = 1)
    {
        World = new SimulatedWorld(seed);
        _authority = new SimulatedAuthority(World.Random.Fork(13));
        SimulatedMachine machine = World.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        Host = new SimulatedHost(World, machine, _authority, new GmsOptions());
        Prepare();
        World.RunUntil(Tests.World.Second);
        machine.Start();
    }

    public SimulatedWorld World { get; }

    public SimulatedHost Host { get; }

    /// <summary>Adds a client that accepts every release at once, and starts its machine.</summary>
    public SimulatedRippleClient Add(string name, StartupMode mode = StartupMode.UseSnapshot)
    {
        SimulatedMachine machine = AddMachine(name);
        var client = new SimulatedRippleClient(World, machine, _authority, OptionsOf(name), mode) { SlowShare = 0, SilentShare = 0 };
        client.Judge = (release, _) =>
        {
            client.NoteAccepted(release);
            return ValueTask.FromResult(ReleaseDecision.Accept);
        };
        machine.Start();
        return client;
    }

    /// <summary>
    /// Adds a client in a .NET host, whose validation rejects a share of the releases, half unless said, and starts its machine.
    /// </summary>
    public SimulatedHostedClient AddHosted(string name, StartupMode mode = StartupMode.UseSnapshot, double rejectShare = 0.5)
    {
        SimulatedMachine machine = AddMachine(name);
        var client = new SimulatedHostedClient(World, machine, _authority, OptionsOf(name), mode) { RejectShare = rejectShare };
        machine.Start();
        return client;
    }

    private static NodeOptions OptionsOf(string name) => new() { Application = Application, Zone = "east", Name = name };

    private SimulatedMachine AddMachine(string name)
    {
        var peer = new LinkPeer
        {
            Kind = LinkPeerKind.Node,
            Application = Application,
            Role = "publisher",
            Name = name,
            TokenId = TokenId,
            NodeIdHigh = 1,
            NodeIdLow = (ulong)World.Machines.Count,
        };
        return World.AddMachine(name, "east", peer);
    }

    /// <summary>Runs until the condition holds; fails after a simulated minute.</summary>
    public void Until(Func<bool> condition, string what)
    {
        for (int i = 0; i < 6_000 && !condition(); i++)
        {
            World.RunFor(10 * Tests.World.Ms);
        }

        Assert.True(condition(), what);
    }

    /// <summary>Begins a call in the process of a client.</summary>
    public static Func<Task<T>?> Begin<T>(SimulatedRippleClient client, Func<RippleClient, Task<T>> call)
    {
        Task<T>? task = null;
        client.Scheduler!.Run(() => task = call(client.Client!));
        return () => task;
    }

    /// <summary>Makes a call in the process of a client, and runs until it ends.</summary>
    public T Ask<T>(SimulatedRippleClient client, Func<RippleClient, Task<T>> call)
    {
        Until(() => client.Client is not null, $"{client.Machine} does not start");
        Func<Task<T>?> asked = Begin(client, call);
        Until(() => asked()?.IsCompleted == true, "the call does not end");
        return ResultOf(asked);
    }

    /// <summary>The result of a call that has ended.</summary>
    public static T ResultOf<T>(Func<Task<T>?> asked) => asked()!.GetAwaiter().GetResult();

    /// <summary>Publishes one value.</summary>
    public PublishResult Publish(SimulatedRippleClient client, string value, ulong id) => Ask(client, c => c.PublishAsync(new PublishRequest
    {
        PublishId = new Guid((uint)id, 7, 7, 1, 2, 3, 4, 5, 6, 7, 8),
        Set = new Dictionary<string, ReadOnlyMemory<byte>> { ["a"] = System.Text.Encoding.UTF8.GetBytes(value) },
    }));

    /// <summary>The value in effect at a client, as its program reads it; null if there is none.</summary>
    public static string? ValueAt(SimulatedRippleClient client) =>
        client.Client is { } running && running.TryGet("a", out ReadOnlyMemory<byte> value)
            ? System.Text.Encoding.UTF8.GetString(value.Span)
            : null;

    /// <summary>Prepares the store as an administrator would have.</summary>
    private void Prepare()
    {
        using SimulatedHostStore store = Host.Disk.Open();
        var token = new AccessToken(TokenId, new byte[32], AccessTokenGrant.For(["*"], AccessRole.Publisher), 1, null, null);
        store.Commit(
            new CommitBatch
            {
                Applications = [new NewApplication(1, Application, 1)],
                Tokens = [AccessTokenChange.Create(token, "administrator")],
            },
            _ => { });
    }
}
