using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Store;
using Ripple.Testing.Signatures;
using Ripple.Testing.Simulation;

namespace Ripple.Gms.Tests.Calls;

/// <summary>Past states that are read and kept: how many at a time, for whom, and how many bytes.</summary>
public sealed class PastStateTests : IWallClock
{
    private const int KeysOfEach = 100;
    private readonly SimulatedMachine _machine;
    private readonly SimulatedWorld _world = new(1);
    private readonly WalkStore _store = new();
    private readonly PastStates _past;
    private readonly List<string> _told = [];

    public PastStateTests()
    {
        _machine = _world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        _machine.Start();
        SimulatedSigner signer = new SimulatedAuthority(new DeterministicRandom(3)).CreateSigner("host");
        // Room for three of the states of this test.
        var options = new GmsOptions { Limits = new HostLimits { PastStatesBytesMax = 3 * BytesOf(KeysOfEach) } };
        _past = new PastStates(
            new HostContext(_machine.Core, _store, signer.OpenOn(_machine), _machine.Completions, this, options, 1));
    }

    public long UnixMicros => 1_000_000;

    [Fact]
    public void Two_are_read_at_a_time_and_applications_take_turns()
    {
        foreach ((uint topic, ulong release) in ((uint, ulong)[])[(1, 1), (1, 2), (1, 3), (1, 4), (1, 3), (2, 9)])
        {
            Read(topic, release);
        }

        Assert.Equal([(1u, 1ul), (1u, 2ul)], _store.Asked);
        Answer();
        Answer();
        Answer();
        Answer();
        Answer();
        Assert.Equal([(1u, 1ul), (1u, 2ul), (1u, 3ul), (2u, 9ul), (1u, 4ul)], _store.Asked);
        Assert.Equal(["1/1", "1/2", "1/3", "1/3", "2/9", "1/4"], _told);
    }

    [Fact]
    public void What_is_kept_is_bounded_in_bytes_and_the_last_used_stay()
    {
        foreach (ulong release in (ulong[])[1, 2, 3, 1, 4])
        {
            Read(1, release);
            Answer();
        }

        Assert.Equal(3 * BytesOf(KeysOfEach), _past.Bytes);
        _store.Asked.Clear();
        Read(1, 1);
        Read(1, 3);
        Read(1, 4);
        Assert.Empty(_store.Asked);
        Read(1, 2);
        Assert.Equal([(1u, 2ul)], _store.Asked);
    }

    [Fact]
    public void One_that_alone_has_more_is_given_to_all_who_asked_and_not_kept()
    {
        Read(1, 1);
        Answer();
        _store.KeyCount = 4 * KeysOfEach;
        Read(1, 2);
        Read(1, 2);
        Answer();
        Assert.Equal(["1/1", "1/2", "1/2"], _told);
        Assert.Equal(BytesOf(KeysOfEach), _past.Bytes);
        Read(1, 2);
        Assert.Equal([(1u, 1ul), (1u, 2ul), (1u, 2ul)], _store.Asked);
    }

    [Fact]
    public void What_is_not_used_for_a_minute_is_given_back()
    {
        Read(1, 1);
        Answer();
        RunSeconds(40);
        Read(1, 2);
        Answer();
        RunSeconds(30);
        _past.Sweep();
        Assert.Equal(BytesOf(KeysOfEach), _past.Bytes);
        RunSeconds(40);
        _past.Sweep();
        Assert.Equal(0, _past.Bytes);
    }

    [Fact]
    public void A_store_that_takes_no_read_is_busy_for_those_who_asked_and_the_next_is_read()
    {
        _store.IsFull = true;
        Read(1, 1);
        Assert.Equal(["Busy"], _told);
        _store.IsFull = false;
        Read(1, 1);
        Answer();
        Assert.Equal(["Busy", "1/1"], _told);
        Read(1, 404);
        Answer();
        Assert.Equal(["Busy", "1/1", "none"], _told);
    }

    private static long BytesOf(int keyCount) => keyCount * (PastStates.KeyBytes + (2L * Key(0).Length));

    private static string Key(int number) => $"section/of/a/key-{number:D6}";

    private static ReleaseState StateOf(ulong release, int keyCount)
    {
        var table = new ReleaseStateBuilder();
        StateTrie trie = StateTrie.Empty;
        for (int i = 0; i < keyCount; i++)
        {
            var entry = new KeyEntry(Digest160.Hash("v"u8, BitConverter.GetBytes(i)), 1, KeyForm.Bytes);
            string key = Key(i);
            Assert.True(table.TryAdd(key, entry));
            trie = trie.Set(key, entry);
        }

        var header = new ReleaseHeader
        {
            Kind = ReleaseKind.Changes,
            Application = "shop",
            Generation = 1,
            Release = release,
            SlotEpoch = 1,
            PreviousId = release == 1 ? default : Digest160.Hash("id"u8, [1]),
            PublishId = Guid.Empty,
            Actor = "ann",
            TimeUnixMicros = 1,
            Note = "",
            Changes = [],
            StateRoot = trie.Root,
        };
        Assert.True(table.TryBuild(header, out ReleaseState? state));
        return state;
    }

    private void Read(uint topic, ulong release) => _past.Read(topic, release, answer => _told.Add(
        answer.Refusal is { } refusal ? refusal.Code.ToString()
        : answer.Value is { } state ? $"{topic}/{state.Release}"
        : "none"));

    /// <summary>The store answers the first that waits.</summary>
    private void Answer()
    {
        _store.Answer();
        _world.RunUntil(_world.Scheduler.NowNs + 1_000_000);
    }

    private void RunSeconds(int seconds)
    {
        _world.RunUntil(_world.Scheduler.NowNs + (seconds * 1_000_000_000L));
        _machine.Post(() => { });
        _world.RunUntil(_world.Scheduler.NowNs + 1_000_000);
    }

    /// <summary>Answers walks when it is told to, and nothing else.</summary>
    private sealed class WalkStore : IHostStore
    {
        private readonly Queue<Action> _answers = [];

        public List<(uint Topic, ulong Release)> Asked { get; } = [];

        public int KeyCount { get; set; } = KeysOfEach;

        public bool IsFull { get; set; }

        public StoreTrouble? Trouble => null;

        public bool IsBroken => false;

        public long TokensVersion => 0;

        /// <summary>The first that waits, if one does: what is kept is not asked for.</summary>
        public void Answer()
        {
            if (_answers.TryDequeue(out Action? answer))
            {
                answer();
            }
        }

        public bool ReadState(uint topic, ulong release, Action<ReadResult<ReleaseState?>> done)
        {
            if (IsFull)
            {
                return false;
            }

            Asked.Add((topic, release));
            _answers.Enqueue(() => done(new(StoreStatus.Done, release == 404 ? null : StateOf(release, KeyCount), null)));
            return true;
        }

        public HostState Load() => throw new NotSupportedException();

        public bool Commit(CommitBatch batch, Action<CommitResult> done) => throw new NotSupportedException();

        public bool ReadReleases(uint topic, ulong fromRelease, int bytesMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
            throw new NotSupportedException();

        public bool ReadBody(uint topic, Digest160 digest, Action<ReadResult<ReadOnlyMemory<byte>?>> done) =>
            throw new NotSupportedException();

        public bool ReadHistory(uint topic, ulong beforeRelease, int countMax, Action<ReadResult<IReadOnlyList<ReleaseRecord>>> done) =>
            throw new NotSupportedException();

        public bool ReadAudit(string? application, long beforeNumber, int countMax, Action<ReadResult<IReadOnlyList<AuditRecord>>> done) =>
            throw new NotSupportedException();

        public bool ReadTokens(Action<ReadResult<IReadOnlyList<AccessToken>>> done) => throw new NotSupportedException();

        public bool ReadRevokedNodes(Action<ReadResult<IReadOnlyList<RevokedNode>>> done) => throw new NotSupportedException();

        public void Dispose()
        {
        }
    }
}
