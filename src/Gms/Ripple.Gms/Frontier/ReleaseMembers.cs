using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Frontier;

/// <summary>
/// Whom each of the newest releases of an application is waited for: its members when the release was ordered, which are stored with it.
/// After a restart they are known from the store; whoever is still to come back is awaited, and a wait on them does not hold without them.
/// Core thread.
/// </summary>
internal sealed class ReleaseMembers
{
    private readonly FrontierTable _table;
    private readonly uint _topic;
    private readonly int _kept;
    private readonly StoredMembership _stored;
    private readonly SortedDictionary<ulong, IReadOnlyList<FrontierRow>> _byRelease = [];
    private readonly SortedDictionary<NodeId, FrontierRow> _awaited = [];
    private IReadOnlyList<FrontierRow> _members = [];
    private long _membersVersion = -1;
    private long _storedVersion;
    private StoredMembership.Change? _underWay;
    private ulong _knownFrom;

    /// <param name="table">The application's table; gets a row for each member that is awaited.</param>
    /// <param name="stored">The application in the store.</param>
    /// <param name="hostName">The host's name.</param>
    /// <param name="kept">The number of newest releases whose members are kept.</param>
    public ReleaseMembers(FrontierTable table, StoredApplication stored, string hostName, int kept)
    {
        _table = table;
        _topic = stored.Topic;
        _kept = kept;
        _stored = new StoredMembership(stored);
        ulong newest = stored.Newest?.Release ?? 0;
        _knownFrom = Math.Max(_stored.KnownFrom, FirstKept(newest));
        Restore(stored, newest, hostName);
        _storedVersion = table.MembershipVersion;
    }

    public static void AddMemory(MemoryBudget budget)
    {
        int kept = HostLimits.Default.CommitsKept;
        budget.Add<FrontierRow>(MemoryScope.Connection, MemoryKind.Retained, "frontier: a member at each commit", kept);
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "frontier: a member as it is stored", 1, MembershipChange.MemberBytes);
        // As they are stored, and as rows with their members.
        int goneBytes = (int)StoredMembership.GoneBytesMax;
        budget.Add(MemoryScope.Application, MemoryKind.Retained, "frontier: members that older releases had", 2, goneBytes);
    }

    /// <summary>How many releases are kept with their members.</summary>
    public int Count => _byRelease.Count;

    /// <summary>The first release whose members are known.</summary>
    public ulong KnownFrom => _knownFrom;

    /// <summary>True while members of before the host's start are awaited.</summary>
    public bool IsAwaiting => _awaited.Count > 0;

    /// <summary>The members of a release; null when they are not known.</summary>
    public IReadOnlyList<FrontierRow>? At(ulong release) => _byRelease.GetValueOrDefault(release);

    /// <summary>A joined node's row, if it is one of those who are awaited, and is what it was. Else it is another member.</summary>
    /// <param name="member">The joined node.</param>
    /// <param name="replaced">The row of what it was before; null if it was not awaited.</param>
    public FrontierRow? Resume(FrontierMember member, out FrontierRow? replaced)
    {
        if (!_awaited.Remove(member.Node, out replaced) || !IsSame(replaced.Member, member) || !_table.Resume(replaced, member))
        {
            return null;
        }

        FrontierRow row = replaced;
        replaced = null;
        return row;
    }

    /// <summary>Takes up to so many of those who did not come back in time.</summary>
    public IReadOnlyList<FrontierRow> TakeAwaited(int countMax)
    {
        FrontierRow[] taken = [.. _awaited.Values.Take(countMax)];
        foreach (FrontierRow row in taken)
        {
            _awaited.Remove(row.Member.Node);
        }

        return taken;
    }

    /// <summary>
    /// Releases are ordered, and on their way to the store: they bind to the members of this moment. Returns what the store must change
    /// with them; null for nothing.
    /// </summary>
    public MembershipChange? OnOrdered(ulong first, ulong last)
    {
        if (_membersVersion != _table.MembershipVersion)
        {
            _members = _table.CurrentMembers();
            _membersVersion = _table.MembershipVersion;
        }

        bool isStored = !IsChanged && !_stored.MustForget(FirstKept(last));
        _underWay = isStored ? null : _stored.Compare(_topic, first, FirstKept(last), _members.Where(m => m.Member.IsNode));
        return _underWay?.Stored;
    }

    /// <summary>True while the members are not those that the store has.</summary>
    public bool IsChanged => _storedVersion != _table.MembershipVersion;

    /// <summary>What <see cref="OnOrdered"/> returned last is in the store.</summary>
    public void OnStored()
    {
        if (_underWay is { } change)
        {
            _stored.OnStored(change);
            _storedVersion = _membersVersion;
            _underWay = null;
        }
    }

    /// <summary>Releases are committed.</summary>
    public void OnCommitted(ulong release)
    {
        OnStored();
        _byRelease[release] = _members;
        _knownFrom = Math.Max(_stored.KnownFrom, FirstKept(release));
        while (_byRelease.Count > 0 && _byRelease.Keys.First() is var oldest && oldest < _knownFrom)
        {
            _byRelease.Remove(oldest);
        }
    }

    private ulong FirstKept(ulong newest) => newest >= (ulong)_kept ? newest - (ulong)_kept + 1 : 1;

    private void Restore(StoredApplication stored, ulong newest, string hostName)
    {
        var ranges = new List<(StoredMember Stored, FrontierRow Row)>();
        foreach (StoredMember member in stored.Members)
        {
            if (Row(member, hostName) is { } row)
            {
                ranges.Add((member, row));
            }
        }

        FrontierRow[] hosts = [.. _table.Rows.Where(r => r.Member.IsHost)];
        var changes = new SortedSet<ulong>(ranges.SelectMany(
            r => r.Stored.LastRelease is { } last ? new[] { r.Stored.FirstRelease, last + 1 } : [r.Stored.FirstRelease]));
        for (ulong release = _knownFrom; release <= newest; release++)
        {
            // Releases between two changes have the same members: one list.
            _byRelease[release] = release > _knownFrom && !changes.Contains(release)
                ? _byRelease[release - 1]
                : [.. hosts, .. ranges.Where(r => IsAt(r.Stored, release)).Select(r => r.Row)];
        }
    }

    private FrontierRow? Row(StoredMember stored, string hostName)
    {
        var member = new FrontierMember
        {
            Node = stored.Node,
            Incarnation = 0,
            Name = stored.Name,
            Zone = stored.Zone,
            HostName = hostName,
            Labels = stored.Labels,
        };
        if (stored.LastRelease is not null)
        {
            return _table.Gone(member);
        }

        if (_table.TryAdd(member, out FrontierRow? row))
        {
            _table.SetStatus(row, MemberStatus.Silent);
            _awaited[stored.Node] = row;
        }

        return row;
    }

    private static bool IsSame(FrontierMember a, FrontierMember b) =>
        a.Name == b.Name && a.Zone == b.Zone && a.Labels.SequenceEqual(b.Labels);

    private static bool IsAt(StoredMember member, ulong release) =>
        member.FirstRelease <= release && (member.LastRelease is not { } last || last >= release);
}

/// <summary>
/// The members of one application as the store has them, and how it must be changed before the next commit. Core thread.
/// </summary>
internal sealed class StoredMembership
{
    /// <summary>The most that members that are gone take, before the oldest releases are forgotten with them.</summary>
    public const long GoneBytesMax = 8 * 1_024 * 1_024;

    private readonly Queue<(ulong LastRelease, long Bytes)> _gone = [];
    private List<Entry> _present = [];
    private long _goneBytes;

    /// <param name="stored">The application in the store.</param>
    public StoredMembership(StoredApplication stored)
    {
        KnownFrom = stored.MembersFrom;
        _present.AddRange(stored.Members.Where(m => m.LastRelease is null).Select(m => new Entry(m, null)));
        foreach (StoredMember member in stored.Members.Where(m => m.LastRelease is not null).OrderBy(m => m.LastRelease))
        {
            Add(member, member.LastRelease!.Value);
        }
    }

    /// <summary>The first release whose members are in the store.</summary>
    public ulong KnownFrom { get; private set; }

    /// <summary>Whether somebody is stored that only older releases than this one are waited for.</summary>
    public bool MustForget(ulong keepFrom) => _gone.TryPeek(out (ulong LastRelease, long) oldest) && oldest.LastRelease < keepFrom;

    /// <summary>The change that a commit of releases needs so that the store has these as their members.</summary>
    /// <param name="topic">The application's topic number.</param>
    /// <param name="first">The first release of the commit.</param>
    /// <param name="keepFrom">The first release whose members are still wanted.</param>
    /// <param name="rows">The members, by node; hosts are none.</param>
    public Change Compare(uint topic, ulong first, ulong keepFrom, IEnumerable<FrontierRow> rows)
    {
        var present = new List<Entry>();
        var left = new List<(NodeId, ulong)>();
        var gone = new List<StoredMember>();
        var joined = new List<StoredMember>();
        int at = 0;
        foreach (FrontierRow row in rows)
        {
            FrontierMember member = row.Member;
            if (present.Count > 0 && present[^1].Stored.Node == member.Node)
            {
                // An older incarnation that nobody removed yet: the store has a node once.
                continue;
            }

            while (at < _present.Count && _present[at].Stored.Node.CompareTo(member.Node) < 0)
            {
                Leave(_present[at++].Stored);
            }

            Entry? stored = at < _present.Count && _present[at].Stored.Node == member.Node ? _present[at++] : null;
            Entry entry = stored is not null && ReferenceEquals(stored.Member, member)
                ? stored
                : new Entry(new StoredMember(member.Node, member.Name, member.Zone, member.Labels, first, null), member);
            if (stored is not null && stored.Stored.IsSame(entry.Stored))
            {
                entry = new Entry(stored.Stored, member);
            }
            else
            {
                if (stored is not null)
                {
                    Leave(stored.Stored);
                }

                joined.Add(entry.Stored);
            }

            present.Add(entry);
        }

        for (; at < _present.Count; at++)
        {
            Leave(_present[at].Stored);
        }

        ulong knownFrom = Math.Max(Math.Max(KnownFrom, keepFrom), FirstThatFits(gone));
        bool mustForget = MustForget(knownFrom);
        return new Change(present, gone, knownFrom, left.Count + joined.Count > 0 || mustForget
            ? new MembershipChange(topic, left, joined, mustForget ? knownFrom : 0)
            : null);

        void Leave(StoredMember member)
        {
            left.Add((member.Node, first - 1));
            if (member.FirstRelease < first)
            {
                gone.Add(member with { LastRelease = first - 1 });
            }
        }
    }

    /// <summary>The store has the change.</summary>
    public void OnStored(Change change)
    {
        _present = change.Present;
        KnownFrom = change.KnownFrom;
        foreach (StoredMember member in change.Gone)
        {
            Add(member, member.LastRelease!.Value);
        }

        while (_gone.TryPeek(out (ulong LastRelease, long) oldest) && oldest.LastRelease < KnownFrom)
        {
            _goneBytes -= _gone.Dequeue().Bytes;
        }
    }

    /// <summary>The first release that can be kept with so many more members that are gone.</summary>
    private ulong FirstThatFits(List<StoredMember> more)
    {
        long bytes = _goneBytes + more.Sum(BytesOf);
        ulong first = 0;
        foreach ((ulong last, long itsBytes) in _gone)
        {
            if (bytes <= GoneBytesMax)
            {
                return first;
            }

            bytes -= itsBytes;
            first = last + 1;
        }

        return bytes > GoneBytesMax && more.Count > 0 ? more[0].LastRelease!.Value + 1 : first;
    }

    private void Add(StoredMember member, ulong last)
    {
        long bytes = BytesOf(member);
        _gone.Enqueue((last, bytes));
        _goneBytes += bytes;
    }

    private static long BytesOf(StoredMember member)
    {
        long chars = member.Name.Length + member.Zone.Length;
        foreach ((string key, string value) in member.Labels)
        {
            chars += key.Length + value.Length;
        }

        return MembershipChange.MemberBytes + (sizeof(char) * chars);
    }

    /// <summary>A member in the store; with the member of the table that was last seen to be the same.</summary>
    internal sealed record Entry(StoredMember Stored, FrontierMember? Member);

    /// <summary>What the store has after a commit.</summary>
    /// <param name="Present">The members.</param>
    /// <param name="Gone">Those who are none any more.</param>
    /// <param name="KnownFrom">The first release whose members are kept.</param>
    /// <param name="Stored">What is to be stored for that; null for nothing.</param>
    internal sealed record Change(List<Entry> Present, List<StoredMember> Gone, ulong KnownFrom, MembershipChange? Stored);
}
