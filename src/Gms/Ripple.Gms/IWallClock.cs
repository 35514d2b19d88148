namespace Ripple.Gms;

/// <summary>The time of day, for headers and audits: told to people, never ordered by.</summary>
internal interface IWallClock
{
    /// <summary>Microseconds since 1970, UTC. Any thread.</summary>
    long UnixMicros { get; }
}
