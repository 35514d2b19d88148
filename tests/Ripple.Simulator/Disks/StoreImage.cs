using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Simulator.Disks;

/// <summary>The entire contents of a simulated disk. Immutable: a backup is a reference, and a crash reverts to one.</summary>
internal sealed record StoreImage
{
    public const int FormatVersion = 5;

    public static StoreImage Empty { get; } = new();

    public Guid? ClusterId { get; init; }

    public uint SlotEpoch { get; init; }

    public uint GenerationMin { get; init; } = 1;

    /// <summary>The id of its mark; null before a host began on it.</summary>
    public Guid? MarkId { get; init; }

    public long TokensVersion { get; init; }

    public ImmutableSortedDictionary<uint, ApplicationImage> Applications { get; init; } =
        ImmutableSortedDictionary<uint, ApplicationImage>.Empty;

    public ImmutableSortedDictionary<Digest160, ReadOnlyMemory<byte>> Bodies { get; init; } =
        ImmutableSortedDictionary<Digest160, ReadOnlyMemory<byte>>.Empty;

    public ImmutableList<AuditEntry> Audit { get; init; } = [];

    public ImmutableSortedDictionary<string, AccessToken> Tokens { get; init; } =
        ImmutableSortedDictionary.Create<string, AccessToken>(StringComparer.Ordinal);

    public ImmutableSortedDictionary<NodeId, RevokedNode> RevokedNodes { get; init; } =
        ImmutableSortedDictionary<NodeId, RevokedNode>.Empty;

    /// <summary>The batches it was made of, in order.</summary>
    public ImmutableList<CommitBatch> Batches { get; init; } = [];

    /// <summary>Applies a batch. Null with the next image, or the reason the batch is refused.</summary>
    public string? Apply(CommitBatch batch, out StoreImage next)
    {
        next = this with { Batches = Batches.Add(batch) };
        return ApplySettings(batch, ref next)
            ?? ApplyApplications(batch, ref next)
            ?? ApplyReleases(batch, ref next)
            ?? ApplyMembers(batch, ref next)
            ?? ApplyPrunings(batch, ref next)
            ?? ApplyTokens(batch, ref next)
            ?? ApplyNodes(batch, ref next);
    }

    public HostState Load(int publishHorizonCount) => new(
        FormatVersion,
        ClusterId,
        SlotEpoch,
        [.. Applications.Values.Select(a => Load(a, publishHorizonCount))],
        AccessTokenList(),
        TokensVersion,
        GenerationMin)
    {
        RevokedNodes = [.. RevokedNodes.Values],
    };

    /// <summary>Whether a release is the one with this id; also true of one that is kept no more.</summary>
    public bool Has(uint topic, ulong release, Digest160 id) =>
        Applications.TryGetValue(topic, out ApplicationImage? application)
        && release <= (ulong)application.Releases.Count
        && (release < application.HistoryFrom || application.Releases[(int)release - 1].Header.Id == id);

    public IReadOnlyList<ReleaseRecord> Releases(uint topic, ulong fromRelease, int bytesMax)
    {
        var records = new List<ReleaseRecord>();
        long bytes = 0;
        for (ulong r = Math.Max(KeptFrom(topic), fromRelease); Find(topic, r) is { } release && bytes < bytesMax; r++)
        {
            bytes += release.Header.Encode().Length + release.Signature.Length + release.Header.BodyBytes;
            if (bytes > bytesMax && records.Count > 0)
            {
                break;
            }

            records.Add(Record(release) with
            {
                Bodies = [.. release.Header.Changes.Where(c => c.Operation == KeyOperation.Set).Select(c => c.Digest).Distinct().Select(
                    d => new StoredBody(d, Bodies[d]))],
            });
        }

        return records;
    }

    public ReadOnlyMemory<byte>? Body(uint topic, Digest160 digest) =>
        Applications.TryGetValue(topic, out ApplicationImage? application) && application.Has(digest)
            ? (ReadOnlyMemory<byte>?)Bodies[digest]
            : null;

    public IReadOnlyList<ReleaseRecord> History(uint topic, ulong beforeRelease, int countMax)
    {
        var records = new List<ReleaseRecord>();
        int count = Math.Clamp(countMax, 0, StoreLimits.RowsMax);
        ulong newest = Applications.TryGetValue(topic, out ApplicationImage? application) ? (ulong)application.Releases.Count : 0;
        long bytes = 0;
        ulong oldest = KeptFrom(topic);
        for (ulong r = beforeRelease == 0 ? 0 : Math.Min(newest, beforeRelease - 1); r >= oldest && records.Count < count; r--)
        {
            ReleaseRecord record = Record(Find(topic, r)!);
            bytes += record.Header.Length;
            if (bytes > StoreLimits.HistoryBytesMax && records.Count > 0)
            {
                break;
            }

            records.Add(record);
        }

        return records;
    }

    public ReleaseState? State(uint topic, ulong release)
    {
        ulong wanted = release == 0 && Applications.TryGetValue(topic, out ApplicationImage? application)
            ? (ulong)application.Releases.Count
            : release;
        if (Find(topic, wanted) is not { } found)
        {
            return null;
        }

        IEnumerable<StoredKey> keys = Applications[topic].States[(int)wanted - 1].Values;
        return ReleaseState.TryFromSnapshot(found.Header, keys.Select(k => KeyValuePair.Create(k.Key, k.Entry)), out ReleaseState? state)
            ? state
            : throw new InvalidOperationException($"The simulated disk has other keys at {found.Header} than its header names.");
    }

    public IReadOnlyList<AuditRecord> AuditBefore(string? application, long beforeNumber, int countMax) =>
    [
        .. Audit.Select((entry, index) => new AuditRecord(index + 1, entry))
            .Reverse()
            .Where(r => r.Number < beforeNumber && (application is null || r.Entry.Application == application))
            .Take(Math.Clamp(countMax, 0, StoreLimits.RowsMax)),
    ];

    public IReadOnlyList<AccessToken> AccessTokenList() => [.. Tokens.Values];

    private static StoredApplication Load(ApplicationImage application, int publishHorizonCount)
    {
        StoredPublish[] publishes =
        [
            .. application.Releases.TakeLast(publishHorizonCount).Select(r => new StoredPublish(
                r.Header.PublishId,
                r.PublishBodyHash,
                r.Header.Release,
                r.Header.Generation,
                r.Header.Id,
                r.Header.Actor,
                r.Header.TimeUnixMicros)),
        ];
        var stored = new StoredApplication(
            application.Topic,
            application.Name,
            application.Generation,
            application.Newest?.Header,
            application.Newest?.Signature ?? default,
            [.. application.Keys.Values],
            publishes);
        return stored with
        {
            Members = [.. application.Members.Values],
            MembersFrom = application.MembersFrom,
            HistoryFrom = application.HistoryFrom,
        };
    }

    private static ReleaseRecord Record(StoredRelease release) =>
        new(release.Header.Release, release.Header.Encode(), release.Signature, []);

    private static string? ApplySettings(CommitBatch batch, ref StoreImage next)
    {
        if (batch.ClusterId is { } id && next.ClusterId is { } stored && stored != id)
        {
            return $"The store belongs to cluster {stored:N}; it cannot become one of {id:N}. Give another store.";
        }

        if (batch.SlotEpoch is { } epoch && epoch <= next.SlotEpoch)
        {
            return Grows("slot_epoch", next.SlotEpoch, epoch);
        }

        if (batch.GenerationMin is { } generation && generation <= next.GenerationMin)
        {
            return Grows("generation_min", next.GenerationMin, generation);
        }

        uint least = batch.GenerationMin ?? next.GenerationMin;
        next = next with
        {
            GenerationMin = least,
            Applications = next.Applications.Values.ToImmutableSortedDictionary(
                a => a.Topic, a => batch.GenerationMin is null || a.Generation >= least ? a : a with { Generation = least }),
            ClusterId = batch.ClusterId ?? next.ClusterId,
            SlotEpoch = batch.SlotEpoch ?? next.SlotEpoch,
        };
        return null;
    }

    private static string? ApplyApplications(CommitBatch batch, ref StoreImage next)
    {
        foreach (NewApplication added in batch.Applications)
        {
            ApplicationImage? other = next.Applications.Values.FirstOrDefault(a => a.Topic == added.Topic || a.Name == added.Name);
            if (other is not null)
            {
                return string.Create(
                    CultureInfo.InvariantCulture,
                    $"There is an application '{other.Name}' with topic {other.Topic} already. Choose another name and topic.");
            }

            next = next with { Applications = next.Applications.Add(added.Topic, new(added.Topic, added.Name, added.Generation)) };
        }

        return null;
    }

    private static string? ApplyReleases(CommitBatch batch, ref StoreImage next)
    {
        foreach (StoredRelease release in batch.Releases)
        {
            if (!next.Applications.TryGetValue(release.Topic, out ApplicationImage? application))
            {
                return NoApplication(release.Topic);
            }

            ImmutableSortedDictionary<Digest160, ReadOnlyMemory<byte>>.Builder bodies = next.Bodies.ToBuilder();
            foreach (StoredBody body in release.Bodies)
            {
                bodies.TryAdd(body.Digest, body.Bytes);
            }

            if (application.Append(release, bodies.ContainsKey, out ApplicationImage appended) is { } wrong)
            {
                return wrong;
            }

            next = next with { Applications = next.Applications.SetItem(release.Topic, appended), Bodies = bodies.ToImmutable() };
        }

        return null;
    }

    private static string? ApplyMembers(CommitBatch batch, ref StoreImage next)
    {
        foreach (MembershipChange change in batch.Members)
        {
            if (!next.Applications.TryGetValue(change.Topic, out ApplicationImage? application))
            {
                return NoApplication(change.Topic);
            }

            if (application.Apply(change, out ApplicationImage changed) is { } wrong)
            {
                return wrong;
            }

            next = next with { Applications = next.Applications.SetItem(change.Topic, changed) };
        }

        return null;
    }

    /// <summary>Shortens histories; then values go that no application has at a release that is kept.</summary>
    private static string? ApplyPrunings(CommitBatch batch, ref StoreImage next)
    {
        foreach (HistoryPruning pruning in batch.Prunings)
        {
            if (!next.Applications.TryGetValue(pruning.Topic, out ApplicationImage? application))
            {
                return NoApplication(pruning.Topic);
            }

            if (application.Prune(pruning.KeptFrom, out ApplicationImage pruned) is { } wrong)
            {
                return wrong;
            }

            ImmutableSortedDictionary<uint, ApplicationImage> applications = next.Applications.SetItem(pruning.Topic, pruned);
            next = next with
            {
                Applications = applications,
                Bodies = next.Bodies.RemoveRange(next.Bodies.Keys.Where(d => !applications.Values.Any(a => a.Has(d)))),
            };
        }

        next = next with { Audit = next.Audit.AddRange(batch.Audit) };
        return null;
    }

    private static string? ApplyTokens(CommitBatch batch, ref StoreImage next)
    {
        foreach (AccessTokenChange change in batch.Tokens)
        {
            if (MadeRights.Refuse(change, next.Tokens.GetValueOrDefault) is { } wrong)
            {
                return wrong;
            }

            if (change.Created is { } token)
            {
                if (next.Tokens.ContainsKey(token.Id))
                {
                    return $"There is a token '{token.Id}' already. Make one with another id.";
                }

                next = next with { Tokens = next.Tokens.Add(token.Id, token) };
            }
            else if (!next.Tokens.ContainsKey(change.TokenId))
            {
                return $"There is no token '{change.TokenId}'. List the tokens to see their ids.";
            }

            IReadOnlyList<AccessTokenChange> ended = MadeRights.EndedBy(change, next.AccessTokenList());
            if (ClusterAdministrators.Refuse(change, ended, next.AccessTokenList()) is { } last)
            {
                return last;
            }

            foreach (AccessTokenChange each in (AccessTokenChange[])[change, .. ended])
            {
                next = next with
                {
                    Tokens = each.Created is null
                        ? next.Tokens.SetItem(each.TokenId, each.Apply(next.Tokens[each.TokenId]))
                        : next.Tokens,
                    Audit = next.Audit.Add(each.ToAudit()),
                };
            }
        }

        next = batch.Tokens.Count + batch.RevokedNodes.Count > 0 ? next with { TokensVersion = next.TokensVersion + 1 } : next;
        return null;
    }

    private static string? ApplyNodes(CommitBatch batch, ref StoreImage next)
    {
        foreach (RevokedNode node in batch.RevokedNodes)
        {
            ImmutableSortedDictionary<NodeId, RevokedNode> kept = next.RevokedNodes.RemoveRange(
                next.RevokedNodes.Values.Where(n => n.IsOver(node.TimeUnixMicros)).Select(n => n.Node));
            if (kept.Count >= StoreLimits.RevokedNodesMax)
            {
                return string.Create(
                    CultureInfo.InvariantCulture,
                    $"{StoreLimits.RevokedNodesMax} nodes are revoked whose certificates may be good. Revoke the token that they have.");
            }

            next = next with
            {
                RevokedNodes = kept.ContainsKey(node.Node) ? kept : kept.Add(node.Node, node),
                Audit = next.Audit.Add(node.ToAudit()),
            };
        }

        return null;
    }

    private StoredRelease? Find(uint topic, ulong release) =>
        Applications.TryGetValue(topic, out ApplicationImage? application)
        && release >= application.HistoryFrom
        && release <= (ulong)application.Releases.Count
            ? application.Releases[(int)release - 1]
            : null;

    private ulong KeptFrom(uint topic) => Applications.TryGetValue(topic, out ApplicationImage? application) ? application.HistoryFrom : 1;

    private static string NoApplication(uint topic) =>
        string.Create(CultureInfo.InvariantCulture, $"There is no application with topic {topic}. Create it first.");

    private static string Grows(string name, ulong stored, ulong value) =>
        string.Create(CultureInfo.InvariantCulture, $"The setting {name} is {stored}; {value} is not above it. It only grows.");
}
