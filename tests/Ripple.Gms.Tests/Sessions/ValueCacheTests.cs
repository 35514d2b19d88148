using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Sessions;
using Ripple.Gms.Store;
using Ripple.Testing.Signatures;
using Ripple.Testing.Simulation;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>Values that connections fetch: one read for all, within the budget, on a simulated disk.</summary>
public sealed class ValueCacheTests : IPublishPreparer, IWallClock
{
    private readonly SimulatedWorld _world = new(1);
    private readonly SimulatedMachine _machine;
    private readonly ValueStore _store;
    private readonly HostContext _context;
    private readonly List<string> _told = [];

    public ValueCacheTests()
    {
        _machine = _world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        _machine.Start();
        _store = new ValueStore(action => _world.Scheduler.Schedule(1_000_000, action));
        SimulatedSigner signer = new SimulatedAuthority(new DeterministicRandom(3)).CreateSigner("host");
        _context = new HostContext(_machine.Core, _store, signer.OpenOn(_machine), _machine.Completions, this, new GmsOptions(), 1);
    }

    public long UnixMicros => 1_000_000;

    [Fact]
    public void A_value_that_many_ask_for_is_read_once_and_dropped_when_nobody_comes_back()
    {
        var memory = new TransientBudget(2L * TransientBudget.ReadBytesMax);
        var values = new ValueCache(_context, memory);
        ValueId large = Put(200_000);

        values.Load(large, Tell);
        values.Load(large, Tell);
        // One read is under way, whoever asks.
        Assert.Equal(TransientBudget.ReadBytesMax, memory.Bytes);
        Run(1);

        Assert.Equal(["True", "True"], _told);
        Assert.Equal(1, _store.ReadCount);
        CachedValue value = values.Find(large)!;
        Assert.Equal(200_000, value.Manifest!.TotalBytes);
        Assert.Equal(value.Bytes, memory.Bytes);

        values.Sweep();
        Assert.NotNull(values.Find(large));
        Run(10);
        values.Sweep();
        Assert.Null(values.Find(large));
        Assert.Equal(0, memory.Bytes);
    }

    [Fact]
    public void A_value_that_is_not_there_is_told_and_takes_nothing()
    {
        var memory = new TransientBudget(2L * TransientBudget.ReadBytesMax);
        var values = new ValueCache(_context, memory);

        values.Load(new(1, ContentDigest.Compute([1, 2, 3])), Tell);
        Run(1);

        Assert.Equal(["False"], _told);
        Assert.Equal(0, memory.Bytes);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(200_000)]
    public void A_value_that_is_read_with_a_flipped_bit_is_not_kept_and_read_again_next_time(int length)
    {
        var memory = new TransientBudget(2L * TransientBudget.ReadBytesMax);
        var values = new ValueCache(_context, memory);
        ValueId id = Put(length);
        _store.Values[id][length / 2] ^= 1;
        values.Load(id, Tell);
        Run(1);
        Assert.Equal(["False"], _told);
        Assert.Null(values.Find(id));
        Assert.Equal(0, memory.Bytes);

        _store.Values[id][length / 2] ^= 1;
        values.Load(id, Tell);
        Run(1);
        Assert.Equal(["False", "True"], _told);
        Assert.NotNull(values.Find(id));
    }

    [Fact]
    public void A_value_that_two_applications_have_is_read_for_each()
    {
        var values = new ValueCache(_context, new TransientBudget(2L * TransientBudget.ReadBytesMax));
        ValueId first = Put(100);
        var second = first with { Topic = 2 };
        values.Load(first, Tell);
        values.Load(second, Tell);
        Run(1);
        Assert.Equal(["True", "False"], _told);
        Assert.NotNull(values.Find(first));
        Assert.Null(values.Find(second));
    }

    [Fact]
    public void What_was_used_least_lately_makes_room_for_a_read()
    {
        // One read and two values.
        var memory = new TransientBudget(TransientBudget.ReadBytesMax + 250_000);
        var values = new ValueCache(_context, memory);
        ValueId[] ids = [Put(100_000), Put(100_001), Put(100_002)];
        foreach (ValueId id in ids[..2])
        {
            values.Load(id, Tell);
            Run(1);
        }

        Assert.NotNull(values.Find(ids[0]));
        // Each had its turn.
        values.Release(ids[0]);
        values.Release(ids[1]);
        values.Load(ids[2], Tell);
        Run(1);

        Assert.Equal(["True", "True", "True"], _told);
        Assert.NotNull(values.Find(ids[0]));
        Assert.NotNull(values.Find(ids[2]));
        // Its room was not needed before the next read began.
        values.Load(Put(100_003), Tell);
        Run(1);
        Assert.Null(values.Find(ids[1]));
        Assert.InRange(memory.Bytes, 1, memory.BytesMax);
    }

    [Fact]
    public void A_value_stays_until_all_it_was_read_for_had_a_turn()
    {
        var memory = new TransientBudget(TransientBudget.ReadBytesMax + 50_000);
        var values = new ValueCache(_context, memory);
        ValueId first = Put(100_000);
        values.Load(first, Tell);
        values.Load(first, Tell);
        RunMs(10);
        ValueId second = Put(100_001);
        values.Load(second, Tell);
        RunMs(10);

        values.Release(first);
        RunMs(10);
        Assert.Equal(["True", "True"], _told);
        Assert.Equal(1, _store.ReadCount);

        values.Release(first);
        RunMs(10);
        Assert.Equal(["True", "True", "True"], _told);
        Assert.Null(values.Find(first));
        Assert.NotNull(values.Find(second));
        values.Release(first);
        Assert.InRange(memory.Bytes, 1, memory.BytesMax);
    }

    [Fact]
    public void Who_has_no_turn_for_a_second_holds_nobody_up()
    {
        var memory = new TransientBudget(TransientBudget.ReadBytesMax + 50_000);
        var values = new ValueCache(_context, memory);
        ValueId first = Put(100_000);
        values.Load(first, Tell);
        RunMs(10);
        values.Load(Put(100_001), Tell);
        RunMs(900);
        // Others use it meanwhile, which does not make the second longer.
        Assert.NotNull(values.Find(first));
        values.Sweep();
        RunMs(10);
        Assert.Equal(["True"], _told);

        RunMs(100);
        values.Sweep();
        RunMs(10);
        Assert.Equal(["True", "True"], _told);
        Assert.Null(values.Find(first));
    }

    bool IPublishPreparer.TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done) => throw new NotSupportedException();

    private void Tell(bool isFound) => _told.Add(isFound.ToString());

    /// <summary>Time passes, and the core takes a turn at the end of it.</summary>
    private void Run(int seconds) => RunMs(seconds * 1_000L);

    private void RunMs(long ms)
    {
        _world.RunUntil(_world.Scheduler.NowNs + (ms * 1_000_000L));
        _machine.Post(() => { });
        _world.RunUntil(_world.Scheduler.NowNs + 1_000_000);
    }

    /// <summary>Stores a value.</summary>
    private ValueId Put(int length)
    {
        byte[] value = new byte[length];
        new Random(length).NextBytes(value);
        var id = new ValueId(1, ContentDigest.Compute(value));
        _store.Values.Add(id, value);
        return id;
    }

    /// <summary>Knows values, and nothing else.</summary>
    private sealed class ValueStore(Action<Action> later) : IHostStore
    {
        public Dictionary<ValueId, byte[]> Values { get; } = [];

        public int ReadCount { get; private set; }

        public StoreTrouble? Trouble => null;

        public bool IsBroken => false;

        public long TokensVersion => 0;

        public bool ReadBody(uint topic, Digest160 digest, Action<ReadResult<ReadOnlyMemory<byte>?>> done)
        {
            ReadCount++;
            ReadOnlyMemory<byte>? found = Values.TryGetValue(new(topic, digest), out byte[]? value) ? value : (ReadOnlyMemory<byte>?)null;
            later(() => done(new(StoreStatus.Done, found, null)));
            return true;
        }

        public HostState Load() => throw new NotSupportedException();

        public bool Commit(CommitBatch batch, Action<CommitResult> done) => throw new NotSupportedException();

        public bool ReadReleases(uint topic, ulong fromRelease, int bytesMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
            throw new NotSupportedException();

        public bool ReadHistory(uint topic, ulong beforeRelease, int countMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
            throw new NotSupportedException();

        public bool ReadState(uint topic, ulong release, Action<ReadResult<ReleaseState?>> done) => throw new NotSupportedException();

        public bool ReadAudit(string? application, long beforeNumber, int countMax, Action<ReadResult<IReadOnlyList<AuditRecord>>> done) =>
            throw new NotSupportedException();

        public bool ReadTokens(Action<ReadResult<IReadOnlyList<AccessToken>>> done) => throw new NotSupportedException();

        public bool ReadRevokedNodes(Action<ReadResult<IReadOnlyList<RevokedNode>>> done) => throw new NotSupportedException();

        public void Dispose()
        {
        }
    }
}
