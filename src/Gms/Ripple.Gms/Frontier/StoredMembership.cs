using Ripple.Engine.Frontier;
using Ripple.Engine.Regions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Frontier;

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
            gone.Add(member with { LastRelease = first - 1 });
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
