using System.Text;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Store;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;

namespace Ripple.Gms.Tests.Publishing;

/// <summary>One primary on a simulated machine and disk: publishes go in, simulated time passes, answers and commits come out.</summary>
internal sealed class PrimaryHarness : IPrimaryHandler, IPublishPreparer, IWallClock, IShortFormMaker
{
    private readonly SimulatedWorld _world = new(1);
    private readonly SimulatedMachine _machine;

    public PrimaryHarness(GmsOptions? options = null)
    {
        _machine = _world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        _machine.Start();
        Disk = new SimulatedDisk((delayNs, action) => _world.Scheduler.Schedule(delayNs, action), new DeterministicRandom(2));
        SimulatedHostStore inner = Disk.Open();
        inner.Commit(new CommitBatch { Applications = [new NewApplication(1, "shop", 1)] }, _ => { });
        _world.RunUntil(1_000_000_000);
        SimulatedSigner signer = new SimulatedAuthority(new DeterministicRandom(3)).CreateSigner("host");
        Store = new ScriptedStore(inner, action => _machine.Schedule(20_000, action));
        GmsOptions effective = options ?? new GmsOptions();
        var context = Context = new HostContext(_machine.Core, Store, signer.OpenOn(_machine), _machine.Completions, this, effective, 1);
        Values = new RecentValues(effective.DeltaBytesMax, this);
        StreamedValues = new StreamedValues(effective.StreamedBytesMax);
        Primary = new ApplicationPrimary(context, Store.Load().Applications[0], this);
    }

    public SimulatedDisk Disk { get; }

    /// <summary>The disk as a store that does what the test says.</summary>
    public ScriptedStore Store { get; }

    public ApplicationPrimary Primary { get; }

    public HostContext Context { get; }

    public List<ReleaseHeader> Committed { get; } = [];

    public List<string> StoreFailures { get; } = [];

    /// <summary>How the members have changed, until that is stored by itself.</summary>
    public MembershipChange? Members { get; set; }

    /// <summary>The releases with which changes of members were asked for.</summary>
    public List<(ulong First, ulong Last)> Ordered { get; } = [];

    /// <summary>The generations that began.</summary>
    public List<uint> Generations { get; } = [];

    public long UnixMicros => 1_000_000;

    Refusal? IPrimaryHandler.Judge(ReleaseState state, IEnumerable<KeyChange> changes) => null;

    public static PreparedPublish Prepare(Guid id, string key, string? value, ulong expected = ulong.MaxValue)
    {
        var input = new PublishInput(
            "shop",
            id,
            expected,
            "note",
            [new PublishInputKey(key, value is null ? (ReadOnlyMemory<byte>?)null : Encoding.UTF8.GetBytes(value))]);
        PreparedPublish? prepared = PublishPreparation.Prepare(input, out Refusal? refusal);
        Assert.Null(refusal);
        return prepared!;
    }

    /// <summary>Asks for a publish; the answers come into the list.</summary>
    public List<PublishAnswer> Publish(PreparedPublish publish, string actor = "ann")
    {
        var answers = new List<PublishAnswer>();
        Primary.Publish(publish, actor, answers.Add);
        return answers;
    }

    public void Run(long ns = 1_000_000_000) => _world.RunUntil(_world.Scheduler.NowNs + ns);

    public void OnCommitted(ApplicationPrimary primary, IReadOnlyList<ReleaseHeader> headers) => Committed.AddRange(headers);

    public bool AreAllBehind { get; set; }

    MembershipChange? IPrimaryHandler.OnOrdered(ApplicationPrimary primary, ulong first, ulong last)
    {
        Ordered.Add((first, last));
        return Members;
    }

    void IPrimaryHandler.OnMembersStored(ApplicationPrimary primary) => Members = null;

    bool IPrimaryHandler.AreAllBehind(ApplicationPrimary primary) => AreAllBehind;

    public RecentValues Values { get; }

    public StreamedValues StreamedValues { get; }

    /// <summary>Whether somebody does not know deltas.</summary>
    public bool MustBeWhole { get; set; }

    bool IPrimaryHandler.MustBeWhole(ApplicationPrimary primary) => MustBeWhole;

    /// <summary>True: deltas wait in <see cref="Waiting"/>, and are made at once otherwise.</summary>
    public bool AreDeltasLate { get; set; }

    public List<ShortFormWork> Waiting { get; } = [];

    void IShortFormMaker.Make(ShortFormWork work)
    {
        if (AreDeltasLate)
        {
            Waiting.Add(work);
        }
        else
        {
            work.Make();
        }
    }

    public void OnGeneration(ApplicationPrimary primary) => Generations.Add(primary.Generation);

    public void OnStoreFailed(ApplicationPrimary primary, string reason) => StoreFailures.Add(reason);

    public bool TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done) => throw new NotSupportedException();
}
