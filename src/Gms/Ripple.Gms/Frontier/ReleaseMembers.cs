using Ripple.Engine.Frontier;
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
    private readonly SortedDictionary<ulong, IReadOnlyList<FrontierRow>> _at = [];
    private readonly SortedDictionary<NodeId, FrontierRow> _awaited = [];
    private IReadOnlyList<FrontierRow> _members = [];
    private long _membersVersion = -1;
    private long _storedVersion = -1;
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
    public int Count => _at.Count;

    /// <summary>The first release whose members are known.</summary>
    public ulong KnownFrom => _knownFrom;

    /// <summary>True while members of before the host's start are awaited.</summary>
    public bool IsAwaiting => _awaited.Count > 0;

    /// <summary>The members of a release; null when they are not known.</summary>
    public IReadOnlyList<FrontierRow>? At(ulong release) => _at.GetValueOrDefault(release);

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

        bool isStored = _storedVersion == _membersVersion && !_stored.MustForget(FirstKept(last));
        _underWay = isStored ? null : _stored.Compare(_topic, first, FirstKept(last), _members.Where(m => !m.Member.IsHost));
        return _underWay?.Stored;
    }

    /// <summary>Releases are committed.</summary>
    public void OnCommitted(ulong release)
    {
        if (_underWay is { } change)
        {
            _stored.OnStored(change);
            _storedVersion = _membersVersion;
            _underWay = null;
        }

        _at[release] = _members;
        _knownFrom = Math.Max(_stored.KnownFrom, FirstKept(release));
        while (_at.Count > 0 && _at.Keys.First() is var oldest && oldest < _knownFrom)
        {
            _at.Remove(oldest);
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
            _at[release] = release > _knownFrom && !changes.Contains(release)
                ? _at[release - 1]
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
