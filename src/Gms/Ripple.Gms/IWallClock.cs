namespace Ripple.Gms;

/// <summary>The time of day, for headers and audits: shown to people, never used for ordering.</summary>
internal interface IWallClock
{
    /// <summary>Microseconds since 1970, UTC. Any thread.</summary>
    long UnixMicros { get; }
}
