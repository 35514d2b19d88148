using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Simulator.Disks;

/// <summary>An application on a simulated disk. Immutable.</summary>
internal sealed record ApplicationImage(uint Topic, string Name, uint Generation)
{
    private static readonly ImmutableSortedDictionary<string, StoredKey> NoKeys =
        ImmutableSortedDictionary.Create<string, StoredKey>(KeyOrder.Instance);

    /// <summary>The releases, starting at 1, without bodies; also those that are kept no more.</summary>
    public ImmutableList<StoredRelease> Releases { get; init; } = [];

    /// <summary>The key table after each release; unchanged parts are shared between them.</summary>
    public ImmutableList<ImmutableSortedDictionary<string, StoredKey>> States { get; init; } = [];

    /// <summary>Who its releases are waited for with, by node, then first release.</summary>
    public ImmutableSortedDictionary<(NodeId Node, ulong FirstRelease), StoredMember> Members { get; init; } =
        ImmutableSortedDictionary<(NodeId, ulong), StoredMember>.Empty;

    /// <summary>The oldest release whose history is kept.</summary>
    public ulong HistoryFrom { get; init; } = 1;

    /// <summary>The first release whose members are known.</summary>
    public ulong MembersFrom { get; init; } = 1;

    public StoredRelease? Newest => Releases.IsEmpty ? null : Releases[^1];

    public ImmutableSortedDictionary<string, StoredKey> Keys => States.IsEmpty ? NoKeys : States[^1];

    /// <summary>Whether a key had this value at one of the releases that are kept.</summary>
    public bool Has(Digest160 value) =>
        Releases.Skip((int)HistoryFrom).Any(r => r.Header.Changes.Any(c => c.Operation == KeyOperation.Set && c.Digest == value))
        || (!States.IsEmpty && States[(int)HistoryFrom - 1].Values.Any(k => k.Entry.Digest == value));

    /// <summary>Shortens its history. Null if that is possible, otherwise the reason it is not.</summary>
    public string? Prune(ulong keptFrom, out ApplicationImage next)
    {
        next = this with { HistoryFrom = keptFrom };
        return keptFrom >= HistoryFrom && keptFrom <= (ulong)Releases.Count
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"History from release {keptFrom} on cannot be kept: releases {HistoryFrom} to {Releases.Count} are there. "
                    + $"Name one of them.");
    }

    /// <summary>Changes its members. Null if that follows, otherwise the reason it does not.</summary>
    public string? Apply(MembershipChange change, out ApplicationImage next)
    {
        next = this;
        ImmutableSortedDictionary<(NodeId Node, ulong FirstRelease), StoredMember>.Builder members = Members.ToBuilder();
        foreach ((NodeId node, ulong last) in change.Left)
        {
            StoredMember? present = members.Values.FirstOrDefault(m => m.Node == node && m.LastRelease is null);
            if (present is null || present.FirstRelease > last + 1)
            {
                return string.Create(
                    CultureInfo.InvariantCulture, $"The node {node} is no member of the application with topic {Topic} at release {last}.");
            }

            members.Remove((node, present.FirstRelease));
            if (present.FirstRelease <= last)
            {
                members.Add((node, present.FirstRelease), present with { LastRelease = last });
            }
        }

        foreach (StoredMember joined in change.Joined)
        {
            if (members.Values.Any(m => m.Node == joined.Node && (m.LastRelease is null || m.LastRelease >= joined.FirstRelease)))
            {
                return string.Create(
                    CultureInfo.InvariantCulture,
                    $"The node {joined.Node} is a member of the application with topic {Topic} already at release {joined.FirstRelease}.");
            }

            members.Add((joined.Node, joined.FirstRelease), joined);
        }

        members.RemoveRange([.. members.Where(m => m.Value.LastRelease < change.KnownFrom).Select(m => m.Key)]);
        next = this with { Members = members.ToImmutable(), MembersFrom = Math.Max(MembersFrom, change.KnownFrom) };
        return null;
    }

    /// <summary>Appends a release. Null if it follows, otherwise the reason it does not.</summary>
    public string? Append(StoredRelease release, Func<Digest160, bool> isStored, out ApplicationImage next)
    {
        next = this;
        ReleaseHeader header = release.Header;
        if (header.Release != (ulong)Releases.Count + 1 || header.PreviousId != (Newest?.Header.Id ?? default))
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{header} does not follow release {Releases.Count} of the store. Append releases in order, each on the one before.");
        }

        if (header.Generation < Generation)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{header} is of generation {header.Generation}; the application is at {Generation}. Generations only grow.");
        }

        ImmutableSortedDictionary<string, StoredKey>.Builder keys = Keys.ToBuilder();
        foreach (KeyChange change in header.Changes)
        {
            if (change.Operation == KeyOperation.Remove)
            {
                keys.Remove(change.Key);
            }
            else if (isStored(change.Digest))
            {
                keys[change.Key] = new(change.Key, change.Entry, header.Release);
            }
            else
            {
                return $"The value {change.Digest} that {header} gives to '{change.Key}' is neither in the store nor in the batch. "
                    + $"Commit it with its bytes.";
            }
        }

        next = this with
        {
            Generation = header.Generation,
            Releases = Releases.Add(release with { Bodies = [] }),
            States = States.Add(keys.ToImmutable()),
        };
        return null;
    }
}
