namespace Ripple.Gms;

/// <summary>
/// What callers may ask for. Reads are calls that may go to the store: history, past states, rollbacks; each holds its place until the
/// connection has taken its answer. Time is core time, as the host estimates it.
/// </summary>
internal sealed record CallLimits
{
    /// <summary>The most reads in progress on one connection; further ones are refused as busy. Default 16.</summary>
    public int ReadsPerConnectionMax { get; init; } = 16;

    /// <summary>
    /// The most reads in progress over all connections. Default 128, of which one token has half, and the tokens of one application three
    /// quarters.
    /// </summary>
    public int ReadsMax { get; init; } = 128;

    /// <summary>What one connection may spend. Default 50 ms a second for calls, 150 ms for frames.</summary>
    public SpendingLimits Connection { get; init; } = new(50_000_000, 150_000_000);

    /// <summary>
    /// What the connections and requests of one token may spend together. Default 250 ms a second for calls and as much for frames: half of
    /// a core.
    /// </summary>
    public SpendingLimits Token { get; init; } = new(250_000_000, 250_000_000);

    /// <summary>
    /// What the tokens of one application may spend together. Default 350 ms a second for calls and 400 ms for frames: three quarters of a
    /// core.
    /// </summary>
    public SpendingLimits Application { get; init; } = new(350_000_000, 400_000_000);

    /// <summary>The seconds of unused time that a connection, a token or an application keeps. Default 4.</summary>
    public int SecondsKept { get; init; } = 4;
}
