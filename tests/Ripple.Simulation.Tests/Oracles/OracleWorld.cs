using System.Collections.Immutable;
using System.Text;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Tests.Oracles;

/// <summary>A world with a host and two nodes that nothing runs on, and the model beside it: the tests tell what happens.</summary>
internal sealed class OracleWorld
{
    public const string Application = "shop";

    public OracleWorld(Judges judges = Judges.None)
    {
        World = new SimulatedWorld(1);
        Host = World.AddHost("host");
        Host.Start();
        Model = new ReleaseModel(World, Book, judges);
        Members = new MembershipBook(World, Host);
        First = AddNode("first", null);
        Second = AddNode("second", "no");
    }

    public SimulatedWorld World { get; }

    public SimulatedMachine Host { get; }

    public PublishBook Book { get; } = new();

    public ReleaseModel Model { get; }

    public MembershipBook Members { get; }

    /// <summary>A node that accepts everything.</summary>
    public NodeRecord First { get; }

    /// <summary>A node that rejects releases above 2.</summary>
    public NodeRecord Second { get; }

    public static string NameOf(uint generation, ulong release, string content) => $"{generation}-{release}-{content}-name";

    public PublishIntent Publish(ulong? expected, params (string Key, string? Value)[] changes)
    {
        ImmutableSortedDictionary<string, byte[]?>.Builder bytes = PublishIntent.NoChanges.ToBuilder();
        foreach ((string key, string? value) in changes)
        {
            bytes[key] = value is null ? null : Encoding.UTF8.GetBytes(value);
        }

        return Book.Record(new PublishIntent(
            new Guid(_publishes++, 0, 0, new byte[8]),
            Application,
            bytes.ToImmutable(),
            ExpectedState.Of(null, expected),
            null,
            null,
            "note"));
    }

    public PublishIntent Rollback(ulong target)
    {
        var id = new Guid(_publishes++, 0, 0, new byte[8]);
        return Book.Record(new PublishIntent(id, Application, PublishIntent.NoChanges, ExpectedState.Any, null, target, "note"));
    }

    public ModelRelease Commit(PublishIntent? intent, uint generation = 1, string name = "a", ModelRelease? after = null)
    {
        ModelRelease? previous = after ?? Model.Of(Application).Newest;
        ulong release = (previous?.Release ?? 0) + 1;
        ModelRelease committed = Model.OnCommitted(new ReleaseClaim(
            Application, generation, release, NameOf(generation, release, name), previous?.Name ?? "", intent?.Id ?? Guid.Empty));
        Members.OnCommitted(committed);
        return committed;
    }

    /// <summary>The same release in the system's own form.</summary>
    public ApplicationState CommitState(ApplicationState? previous, string value)
    {
        previous ??= ApplicationState.Empty(Application);
        PublishIntent intent = Publish(null, ("key", value));
        byte[] bytes = Encoding.UTF8.GetBytes(value);
        KeyChange[] changes = [KeyChange.Set("key", KeyForm.Bytes, bytes)];
        var header = new ReleaseHeader
        {
            Kind = ReleaseKind.Changes,
            Application = Application,
            Generation = 1,
            Release = previous.Keys.Release + 1,
            SlotEpoch = 1,
            PreviousId = previous.Keys.Id,
            PublishId = intent.Id,
            Actor = "a",
            TimeUnixMicros = 1,
            Note = "",
            Changes = [.. changes],
            StateRoot = previous.Keys.Trie.Apply(changes).Root,
        };
        Assert.Equal(ApplyStatus.Applied, previous.Keys.Apply(header, out ReleaseState next));
        Model.OnCommitted(ReleaseClaim.Of(header));
        return new ApplicationState(next, previous.Values.SetItem("key", bytes), null);
    }

    public void Advance(long ns) => World.RunFor(ns);

    public static InvariantViolationException Fails(string checker, Action action)
    {
        InvariantViolationException violation = Assert.Throws<InvariantViolationException>(action);
        Assert.Equal(checker, violation.Checker);
        return violation;
    }

    private int _publishes = 1;

    private NodeRecord AddNode(string name, string? reasonAbove2)
    {
        SimulatedMachine machine = World.AddNode(name);
        machine.Start();
        var record = new NodeRecord(machine, Application, release => release > 2 ? reasonAbove2 : null);
        record.Start(0);
        record.Join(new NodeSessionRecord((ulong)machine.Index, 0, Host.StartCount));
        Members.Add(record);
        return record;
    }
}
