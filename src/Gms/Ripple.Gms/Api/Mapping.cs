using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Frontier;
using Ripple.Gms.Regions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>Converts the host's types to the API's.</summary>
internal static class Mapping
{
    public static DateTimeOffset Time(long unixMicros) => DateTimeOffset.UnixEpoch.AddTicks(unixMicros * TimeSpan.TicksPerMicrosecond);

    public static ApplicationInfo Application(ApplicationView view) =>
        new(view.Name, view.Generation, view.State.Release, view.State.Keys.Count, view.NodeCount);

    public static KeyInfo Key(string key, KeyEntry entry) => new(key, entry.Length, entry.Digest.ToString(), entry.Form == KeyForm.Json);

    public static ReleaseInfo Release(ReleaseHeader header) => new()
    {
        Release = header.Release,
        Generation = header.Generation,
        Id = header.Id.ToString(),
        PreviousId = header.PreviousId.ToString(),
        Time = Time(header.TimeUnixMicros),
        Actor = header.Actor,
        Note = header.Note,
        PublishId = header.PublishId,
        Changes = [.. header.Changes.Select(c => c.Operation == KeyOperation.Set
            ? new KeyChangeInfo(c.Key, KeyChangeKind.Set, null, Key(c.Key, new KeyEntry(c.Digest, c.Length, c.Form)))
            : new KeyChangeInfo(c.Key, KeyChangeKind.Removed, null, null))],
    };

    /// <summary>The differences between two states, in key order.</summary>
    public static IReadOnlyList<KeyChangeInfo> Changes(
        IReadOnlyDictionary<string, KeyEntry> before, IReadOnlyDictionary<string, KeyEntry> after)
    {
        var changes = new List<KeyChangeInfo>();
        foreach (string key in before.Keys.Union(after.Keys).Order(KeyOrder.Instance))
        {
            KeyInfo? old = before.TryGetValue(key, out KeyEntry was) ? Key(key, was) : null;
            KeyInfo? present = after.TryGetValue(key, out KeyEntry becomes) ? Key(key, becomes) : null;
            if (old != present)
            {
                changes.Add(
                    new KeyChangeInfo(
                        key,
                        old is null ? KeyChangeKind.Added : present is null ? KeyChangeKind.Removed : KeyChangeKind.Changed,
                        old,
                        present));
            }
        }

        return changes;
    }

    public static NodeName Name(MemberRecord member) => new(member.Node.ToString(), member.Name, member.Zone, member.Application);

    public static NodeInfo Node(StatusRow row) => new()
    {
        NodeId = row.Node.ToString(),
        Name = row.Name,
        Zone = row.Zone,
        Incarnation = row.Incarnation,
        State = (NodeState)row.State,
        Received = row.Received,
        Persisted = row.Persisted,
        Applied = row.Applied,
        DirectApplied = row.DirectApplied,
        Rejected = row.Rejected,
        Reason = row.Reason,
    };

    public static RegionInfo Region(RegionStatus region, bool hasParts) => new()
    {
        Name = region.Name,
        Zone = region.Identity.Zone,
        Application = region.Identity.Application,
        Interest = region.Identity.Interest,
        View = region.View.ToString(),
        MemberCount = region.MemberCount,
        EnteringCount = region.EnteringCount,
        UnreachedCount = region.UnreachedCount,
        LeafCount = region.Leaves.Count,
        GroupAddress = region.Group?.ToString(),
        GroupMemberCount = region.GroupMemberCount,
        Packets = region.Packets,
        Repairs = region.Repairs,
        MemberRepairs = region.MemberRepairs.Made,
        MemberRepairsMissed = region.MemberRepairs.Missed,
        PaceBytesPerSecond = region.PaceBytesPerSecond,
        PartCount = region.Parts.Count,
        SubstitutedPartCount = region.Parts.Count(p => p.Rounds.Rank > 0),
        SilentCount = region.Parts.Sum(p => p.Silent.Count),
        RoundAgeMs = region.Parts.Count == 0 ? null : Milliseconds(region.RoundAgeNsMax),
        Parts = hasParts ? [.. region.Parts.Select(Part)] : null,
        Leaves = hasParts ? [.. region.Leaves.Select(Leaf)] : null,
        Accusations = hasParts ? [.. region.Parts.SelectMany(p => p.Accusations).Select(Accusation)] : null,
    };

    public static Admin.Contracts.WaitProgress Progress(Engine.Protocol.Calls.WaitProgress progress) =>
        new((int)progress.Holding, (int)progress.Total) { Generation = progress.Generation };

    public static Admin.Contracts.WaitResult Result(Engine.Protocol.Calls.WaitResult result) => new(
        (WaitOutcome)result.Outcome,
        result.Text,
        (int)result.Total,
        [.. result.Members.Select(Member)],
        [.. result.Discounted.Select(Member)])
    {
        Generation = result.Generation,
    };

    public static TokenInfo Token(AccessToken token, long nowUnixMicros) => new(
        token.Id,
        token.Name,
        token.RevokedUnixMicros is not null ? TokenState.Revoked : token.IsGood(nowUnixMicros) ? TokenState.Good : TokenState.Expired,
        Time(token.CreatedUnixMicros),
        token.ExpiresUnixMicros is { } expires ? Time(expires) : null,
        token.RevokedUnixMicros is { } revoked ? Time(revoked) : null,
        [.. Roles(token)])
    {
        MadeBy = token.MadeBy,
    };

    public static IEnumerable<RoleGrant> Roles(AccessToken token) =>
        token.Grants.Select(g => new RoleGrant(token.Id, g.Application, (Role)g.Role) { MadeBy = g.MadeBy });

    public static AuditInfo Audit(AuditRecord record) => new(
        record.Number,
        Time(record.Entry.TimeUnixMicros),
        record.Entry.Actor,
        record.Entry.Action,
        record.Entry.Application,
        record.Entry.Release,
        record.Entry.Detail);

    private static RegionPartInfo Part(PartStatus part) => new()
    {
        Index = part.Index,
        MemberCount = part.MemberCount,
        First = Member(part.First),
        Last = Member(part.Last),
        Leader = part.Leader is { } leader ? Member(leader) : null,
        Rank = part.Leader is null ? null : part.Rounds.Rank,
        InPlaceOf = [.. part.InPlaceOf.Select(Member)],
        Rounds = part.Rounds.Count,
        RoundAgeMs = part.AgeNs is { } ageNs ? Milliseconds(ageNs) : null,
        RoundIntervalMs = part.Rounds.Count > 1 ? Milliseconds(part.Rounds.IntervalNs) : null,
        Silent = [.. part.Silent.Select(Member)],
        Repairs = part.Repairs.Made,
    };

    private static RegionLeafInfo Leaf(LeafStatus leaf) => new()
    {
        Member = Member(leaf.Member),
        Reason = leaf.Reason,
        AgeMs = Milliseconds(leaf.AgeNs),
        IsReturning = leaf.IsReturning,
    };

    private static RegionAccusationInfo Accusation(AccusationStatus accusation) => new()
    {
        Member = Member(accusation.Member),
        Accuser = Member(accusation.Accuser),
        AgeMs = Milliseconds(accusation.AgeNs),
        RoundCount = accusation.Rounds,
        HeardMs = Milliseconds(accusation.HeardNs),
    };

    private static RegionMemberInfo Member(MemberName member) => new(member.Node.ToString(), member.Name);

    /// <summary>To the microsecond.</summary>
    private static double Milliseconds(long ns) => Math.Round(ns / 1e6, 3);

    private static Admin.Contracts.WaitMember Member(Engine.Protocol.Calls.WaitMember member) =>
        new(member.Node.ToString(), member.Name, member.Value, member.Reason);
}
