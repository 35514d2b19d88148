using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using Ripple.Engine.Releases;

namespace Ripple.Client;

/// <summary>
/// The state of an application at one release: every value, verified against what the primary signed. Immutable; any thread. Memory of
/// values is shared with the client: read it, never write to it.
/// </summary>
public sealed record RippleRelease
{
    private static readonly ConditionalWeakTable<ApplicationState, RippleRelease> Made = [];
    private readonly Lazy<IReadOnlyList<string>>? _changedKeys;

    /// <summary>Makes a release, for tests of code that takes one.</summary>
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

    /// <summary>Counts creations and restores of the application; 0 before the first release.</summary>
    public uint Generation { get; init; }

    /// <summary>The release number; 0 while there is none.</summary>
    public ulong Release { get; init; }

    /// <summary>The id of the release: the hash of its header; zero while there is none.</summary>
    public Digest160 Id { get; init; }

    /// <summary>What the publisher said of it; may be empty.</summary>
    public string Note { get; init; } = string.Empty;

    /// <summary>Who published it; may be empty.</summary>
    public string Actor { get; init; } = string.Empty;

    /// <summary>When the primary ordered it. For people; nothing is ordered by it.</summary>
    public DateTimeOffset Time { get; init; }

    /// <summary>
    /// The keys set or removed since the release that was seen before it: in effect before it, or brought by the watch before it. In the
    /// order of the bytes of their UTF-8.
    /// </summary>
    public IReadOnlyList<string> ChangedKeys
    {
        get => field ?? _changedKeys?.Value ?? [];
        init;
    }

    /// <summary>Every key with its value.</summary>
    public IReadOnlyDictionary<string, ReadOnlyMemory<byte>> Values { get; init; } = new Dictionary<string, ReadOnlyMemory<byte>>();

    /// <summary>
    /// How many releases took effect since the one this watch brought before and were not brought, because the watch was slow.
    /// </summary>
    public long Skipped { get; init; }

    /// <summary>
    /// The W3C trace context of its publish; null when it is not known: it is not kept on disk, and a release that was fetched later has
    /// none.
    /// </summary>
    public string? TraceParent { get; init; }

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Application} {Generation}/{Release}");

    /// <summary>Compares identity, not content: the id covers the content.</summary>
    public bool Equals(RippleRelease? other) =>
        other is not null
            && Application == other.Application
            && Generation == other.Generation
            && Release == other.Release
            && Id == other.Id
            && Skipped == other.Skipped;

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Application, Generation, Release, Id);

    /// <summary>The release of a state. Nodes of one process that share the state share the release.</summary>
    internal static RippleRelease From(ApplicationState state, ApplicationState? before)
    {
        bool isNext = state.Proof is not null
            && before is not null
            && before.Keys.Generation == state.Keys.Generation
            && before.Keys.Release + 1 == state.Keys.Release;
        // The usual case needs no comparison, and keeps the state before from being held.
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

    /// <summary>This release instead of others that are not brought: it counts them, and its changes are theirs too.</summary>
    internal RippleRelease Replacing(IReadOnlyList<RippleRelease> dropped) => new(this, new Lazy<IReadOnlyList<string>>(
        () => dropped.Select(d => d.ChangedKeys).Aggregate(ChangedKeys, ReleaseChanges.Union)))
    {
        Skipped = Skipped + dropped.Sum(d => d.Skipped + 1),
    };

    internal bool IsAfter(RippleRelease other) =>
        Generation > other.Generation || (Generation == other.Generation && Release > other.Release);
}
