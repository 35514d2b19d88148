using Ripple.Trust;

namespace Ripple.Client.State;

/// <summary>A client's identity and behavior, resolved and validated by <see cref="SettingsResolver"/>. Immutable.</summary>
internal sealed record ClientSettings
{
    /// <summary>The hosts, the pinned authority and the credential.</summary>
    public required ConnectionString Connection { get; init; }

    /// <summary>The client's own application.</summary>
    public required string Application { get; init; }

    /// <summary>The data center.</summary>
    public required string Zone { get; init; }

    /// <summary>The node's name.</summary>
    public required string Name { get; init; }

    /// <summary>Other applications whose releases the client receives.</summary>
    public required IReadOnlyList<string> Interest { get; init; }

    /// <summary>Labels for predicates.</summary>
    public required IReadOnlyList<KeyValuePair<string, string>> Labels { get; init; }

    /// <summary>User code that accepts or rejects a release before it takes effect; null accepts every release.</summary>
    public required Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>>? AcceptRelease { get; init; }

    /// <summary>Whether decisions on releases of the own application wait until they are begun.</summary>
    public required bool HoldsDecisions { get; init; }

    /// <summary>How long <see cref="AcceptRelease"/> may take before the release is rejected.</summary>
    public required TimeSpan AcceptTimeout { get; init; }

    /// <summary>Whether snapshots are kept on disk.</summary>
    public required SnapshotMode SnapshotMode { get; init; }

    /// <summary>The directory for snapshots; null searches for one.</summary>
    public required string? SnapshotDirectory { get; init; }

    /// <summary>The client's own application and its interest, without duplicates.</summary>
    public IReadOnlyList<string> Applications => [.. Interest.Append(Application).Distinct(StringComparer.Ordinal)];
}
