using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Testing.Disks;

/// <summary>The entire contents of a simulated disk. Immutable: a backup is a reference, and a crash reverts to one.</summary>
internal sealed record StoreImage
{
    public const int FormatVersion = 2;

    public static StoreImage Empty { get; } = new();

    public Guid? ClusterId { get; init; }

    public uint SlotEpoch { get; init; }

    public ulong IncarnationCounter { get; init; }

    public long TokensVersion { get; init; }

    public ImmutableSortedDictionary<uint, ApplicationImage> Applications { get; init; } =
        ImmutableSortedDictionary<uint, ApplicationImage>.Empty;

    public ImmutableSortedDictionary<Digest160, ReadOnlyMemory<byte>> Bodies { get; init; } =
        ImmutableSortedDictionary<Digest160, ReadOnlyMemory<byte>>.Empty;

    public ImmutableList<AuditEntry> Audit { get; init; } = [];

    public ImmutableSortedDictionary<string, AccessToken> Tokens { get; init; } =
        ImmutableSortedDictionary.Create<string, AccessToken>(StringComparer.Ordinal);

    /// <summary>The batches it was made of, in order.</summary>
    public ImmutableList<CommitBatch> Batches { get; init; } = [];

    /// <summary>Applies a batch. Null with the next image, or the reason the batch is refused.</summary>
    public string? Apply(CommitBatch batch, out StoreImage next)
    {
        next = this with { Batches = Batches.Add(batch) };
        return ApplySettings(batch, ref next)
            ?? ApplyApplications(batch, ref next)
            ?? ApplyReleases(batch, ref next)
            ?? ApplyTokens(batch, ref next);
    }

    public HostState Load(int publishHorizonCount) => new(
        FormatVersion,
        ClusterId,
        SlotEpoch,
        IncarnationCounter,
        [.. Applications.Values.Select(a => Load(a, publishHorizonCount))],
        AccessTokenList(),
        TokensVersion);

    public IReadOnlyList<ReleaseRecord> Releases(uint topic, ulong fromRelease, int bytesMax)
    {
        var records = new List<ReleaseRecord>();
        long bytes = 0;
        for (ulong r = Math.Max(1, fromRelease); Find(topic, r) is { } release && bytes < bytesMax; r++)
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

    public ReadOnlyMemory<byte>? Body(Digest160 digest) =>
        Bodies.TryGetValue(digest, out ReadOnlyMemory<byte> body) ? (ReadOnlyMemory<byte>?)body : null;

    public IReadOnlyList<ReleaseRecord> History(uint topic, ulong beforeRelease, int countMax)
    {
        var records = new List<ReleaseRecord>();
        int count = Math.Clamp(countMax, 0, StoreLimits.RowsMax);
        ulong newest = Applications.TryGetValue(topic, out ApplicationImage? application) ? (ulong)application.Releases.Count : 0;
        long bytes = 0;
        for (ulong r = beforeRelease == 0 ? 0 : Math.Min(newest, beforeRelease - 1); r > 0 && records.Count < count; r--)
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

    public StateRecord? State(uint topic, ulong release)
    {
        ulong wanted = release == 0 && Applications.TryGetValue(topic, out ApplicationImage? application)
            ? (ulong)application.Releases.Count
            : release;
        return Find(topic, wanted) is { } found ? new(Record(found), [.. Applications[topic].States[(int)wanted - 1].Values]) : null;
    }

    public IReadOnlyList<AuditRecord> AuditBefore(string? application, long beforeNumber, int countMax) =>
    [
        .. Audit.Select((entry, index) => new AuditRecord(index + 1, entry))
            .Reverse()
            .Where(r => r.Number < beforeNumber && (application is null || r.Entry.Application == application))
            .Take(Math.Clamp(countMax, 0, StoreLimits.RowsMax)),
    ];

    public IReadOnlyList<AccessToken> AccessTokenList() => [.. Tokens.Values];

    private static StoredApplication Load(ApplicationImage application, int publishHorizonCount) => new(
        application.Topic,
        application.Name,
        application.Generation,
        application.Newest?.Header,
        application.Newest?.Signature ?? default,
        [.. application.Keys.Values],
        [.. application.Releases.TakeLast(publishHorizonCount).Select(r => new StoredPublish(
            r.Header.PublishId,
            r.PublishBodyHash,
            r.Header.Release,
            r.Header.Generation,
            r.Header.Id,
            r.Header.Actor,
            r.Header.TimeUnixMicros))]);

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

        if (batch.IncarnationCounter is { } counter && counter <= next.IncarnationCounter)
        {
            return Grows("incarnation_counter", next.IncarnationCounter, counter);
        }

        next = next with
        {
            ClusterId = batch.ClusterId ?? next.ClusterId,
            SlotEpoch = batch.SlotEpoch ?? next.SlotEpoch,
            IncarnationCounter = batch.IncarnationCounter ?? next.IncarnationCounter,
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

        foreach ((uint topic, uint generation) in batch.Generations)
        {
            if (!next.Applications.TryGetValue(topic, out ApplicationImage? application))
            {
                return NoApplication(topic);
            }

            if (generation <= application.Generation)
            {
                return string.Create(CultureInfo.InvariantCulture,
                    $"The application with topic {topic} is at generation {application.Generation}; {generation} is not above "
                        + $"it. Generations only grow.");
            }

            next = next with { Applications = next.Applications.SetItem(topic, application with { Generation = generation }) };
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

        next = next with { Audit = next.Audit.AddRange(batch.Audit) };
        return null;
    }

    private static string? ApplyTokens(CommitBatch batch, ref StoreImage next)
    {
        foreach (AccessTokenChange change in batch.Tokens)
        {
            if (change.Created is { } token)
            {
                if (next.Tokens.ContainsKey(token.Id))
                {
                    return $"There is a token '{token.Id}' already. Make one with another id.";
                }

                next = next with { Tokens = next.Tokens.Add(token.Id, token) };
            }
            else if (next.Tokens.TryGetValue(change.TokenId, out AccessToken? present))
            {
                next = next with { Tokens = next.Tokens.SetItem(present.Id, change.Apply(present)) };
            }
            else
            {
                return $"There is no token '{change.TokenId}'. List the tokens to see their ids.";
            }

            next = next with { Audit = next.Audit.Add(change.ToAudit()) };
        }

        next = batch.Tokens.Count > 0 ? next with { TokensVersion = next.TokensVersion + 1 } : next;
        return null;
    }

    private StoredRelease? Find(uint topic, ulong release) =>
        Applications.TryGetValue(topic, out ApplicationImage? application) && release > 0 && release <= (ulong)application.Releases.Count
            ? application.Releases[(int)release - 1]
            : null;

    private static string NoApplication(uint topic) =>
        string.Create(CultureInfo.InvariantCulture, $"There is no application with topic {topic}. Create it first.");

    private static string Grows(string name, ulong stored, ulong value) =>
        string.Create(CultureInfo.InvariantCulture, $"The setting {name} is {stored}; {value} is not above it. It only grows.");
}
