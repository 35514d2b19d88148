using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using Ripple.Engine.Releases;

namespace Ripple.Client;

/// <summary>
/// The state of an application at one release: every value, verified against the primary's signature. Immutable and thread-safe. The
/// values' memory is shared with the client: never write to it.
/// </summary>
public sealed record RippleRelease
{
    private static readonly ConditionalWeakTable<ApplicationState, RippleRelease> Made = [];
    private readonly Lazy<IReadOnlyList<string>>? _changedKeys;

    /// <summary>Creates a release, for tests of code that takes one.</summary>
    public RippleRelease()
    {
    }

    private RippleRelease(Lazy<IReadOnlyList<string>> changedKeys) => _changedKeys = changedKeys;

    [SetsRequiredMembers]
    private RippleRelease(RippleRelease other, Lazy<IReadOnlyList<string>> changedKeys)
    {
        _changedKeys = changedKeys;
        Application = other.Application;
        Generation = other.Generation;
        Release = other.Release;
        Id = other.Id;
        Note = other.Note;
        Actor = other.Actor;
        Time = other.Time;
        Values = other.Values;
        Skipped = other.Skipped;
        TraceParent = other.TraceParent;
    }

    /// <summary>The application.</summary>
    public required string Application { get; init; }

    /// <summary>Incremented each time the application is created or restored; 0 before the first release.</summary>
    public uint Generation { get; init; }

    /// <summary>The release number; 0 if there is none yet.</summary>
    public ulong Release { get; init; }

    /// <summary>The id of the release: the hash of its header; zero if there is none yet.</summary>
    public Digest160 Id { get; init; }

    /// <summary>The publisher's note; may be empty.</summary>
    public string Note { get; init; } = string.Empty;

    /// <summary>The publisher; may be empty.</summary>
    public string Actor { get; init; } = string.Empty;

    /// <summary>The time at which the primary ordered it. For display only; never used for ordering.</summary>
    public DateTimeOffset Time { get; init; }

    /// <summary>
    /// The keys set or removed since the previous release: the one in effect before it, or the one delivered by the watch before it.
    /// Ordered by their UTF-8 bytes.
    /// </summary>
    public IReadOnlyList<string> ChangedKeys
    {
        get => field ?? _changedKeys?.Value ?? [];
        init;
    }

    /// <summary>All keys with their values.</summary>
    public IReadOnlyDictionary<string, ReadOnlyMemory<byte>> Values { get; init; } = new Dictionary<string, ReadOnlyMemory<byte>>();

    /// <summary>
    /// The number of releases that took effect since the watch's previous one but were not delivered, because the watch fell behind.
    /// </summary>
    public long Skipped { get; init; }

    /// <summary>
    /// The W3C trace context of the publish; null if unknown. It is not saved to disk, and a release fetched later has none.
    /// </summary>
    public string? TraceParent { get; init; }

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Application} {Generation}/{Release}");

    /// <summary>Compares identity and skip count, not content: the id covers the content.</summary>
    public bool Equals(RippleRelease? other) =>
        other is not null
            && Application == other.Application
            && Generation == other.Generation
            && Release == other.Release
            && Id == other.Id
            && Skipped == other.Skipped;

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Application, Generation, Release, Id);

    /// <summary>The release for a state. Nodes of one process that share the state share the release.</summary>
    internal static RippleRelease From(ApplicationState state, ApplicationState? before)
    {
        bool isNext = state.Proof is not null
            && before is not null
            && before.Keys.Generation == state.Keys.Generation
            && before.Keys.Release + 1 == state.Keys.Release;
        // The usual case needs no comparison, and does not keep the previous state alive.
        return isNext
            ? Made.GetValue(state, static s => Make(s, new(() => [.. s.Proof!.Header.Changes.Select(c => c.Key)])))
            : Make(state, new(() => ReleaseChanges.Between(before?.Keys, state.Keys)));
    }

    private static RippleRelease Make(ApplicationState state, Lazy<IReadOnlyList<string>> changedKeys)
    {
        ReleaseHeader? header = state.Proof?.Header;
        return new(changedKeys)
        {
            Application = state.Keys.Application,
            Generation = state.Keys.Generation,
            Release = state.Keys.Release,
            Id = state.Keys.Id,
            Note = header?.Note ?? string.Empty,
            Actor = header?.Actor ?? string.Empty,
            Time = DateTimeOffset.UnixEpoch.AddTicks((header?.TimeUnixMicros ?? 0) * TimeSpan.TicksPerMicrosecond),
            Values = state.Values,
            TraceParent = state.Trace?.ToString(),
        };
    }

    /// <summary>Replaces other, undelivered releases with this one, adding their count and their changed keys.</summary>
    internal RippleRelease Replacing(IReadOnlyList<RippleRelease> dropped) => new(this, new Lazy<IReadOnlyList<string>>(
        () => dropped.Select(d => d.ChangedKeys).Aggregate(ChangedKeys, ReleaseChanges.Union)))
    {
        Skipped = Skipped + dropped.Sum(d => d.Skipped + 1),
    };

    internal bool IsAfter(RippleRelease other) =>
        Generation > other.Generation || (Generation == other.Generation && Release > other.Release);
}

/// <summary>Computes the keys that differ between two states.</summary>
internal static class ReleaseChanges
{
    public static IReadOnlyList<string> Between(ReleaseState? before, ReleaseState after)
    {
        if (before is null)
        {
            return [.. after.Keys.Keys];
        }

        var changed = new List<string>();
        using ImmutableSortedDictionary<string, KeyEntry>.Enumerator old = before.Keys.GetEnumerator();
        bool hasOld = old.MoveNext();
        foreach ((string key, KeyEntry entry) in after.Keys)
        {
            while (hasOld && KeyOrder.Instance.Compare(old.Current.Key, key) < 0)
            {
                changed.Add(old.Current.Key);
                hasOld = old.MoveNext();
            }

            bool isThere = hasOld && old.Current.Key == key;
            if (!isThere || old.Current.Value != entry)
            {
                changed.Add(key);
            }

            hasOld = isThere ? old.MoveNext() : hasOld;
        }

        for (; hasOld; hasOld = old.MoveNext())
        {
            changed.Add(old.Current.Key);
        }

        return changed;
    }

    /// <summary>The union of two lists of changed keys, in key order.</summary>
    public static IReadOnlyList<string> Union(IReadOnlyList<string> first, IReadOnlyList<string> second)
    {
        var keys = new SortedSet<string>(first, KeyOrder.Instance);
        keys.UnionWith(second);
        return [.. keys];
    }
}
