namespace Ripple.Admin.Contracts;

/// <summary>
/// A member that the newest round of its part did not hear: it did not answer, or another member led in its place. The ring accuses and
/// the host judges: who was not heard in two rounds in a row, nor by the host for two and a quarter heartbeats, is removed.
/// </summary>
public sealed record RegionAccusationInfo
{
    /// <summary>The member that was not heard.</summary>
    public required RegionMemberInfo Member { get; init; }

    /// <summary>The member that led the round and told the host so.</summary>
    public required RegionMemberInfo Accuser { get; init; }

    /// <summary>
    /// For how long each round of the part has said so, in milliseconds, whatever the host heard meanwhile; 0 when the newest round that
    /// did is older than a second and a half.
    /// </summary>
    public required double AgeMs { get; init; }

    /// <summary>The number of rounds in a row that said so since the host heard the member last; 0 if none did.</summary>
    public required int RoundCount { get; init; }

    /// <summary>The time since the host heard the member last, in milliseconds.</summary>
    public required double HeardMs { get; init; }
}
