namespace Ripple.Engine.Rings;

/// <summary>
/// One topic in a token: a base release, and for each level the lags behind it of the ring positions from <see cref="From"/> up to, but not
/// including, <see cref="Until"/>, as far as the token has traveled. Reused: valid until the token is cleared or read into.
/// </summary>
internal sealed class RingTokenTopic
{
    /// <summary>The <see cref="Until"/> of a topic that includes all following positions.</summary>
    public const ushort Open = ushort.MaxValue;

    internal const int LevelCount = 3;

    /// <summary>The application's number.</summary>
    public uint Topic { get; internal set; }

    /// <summary>Its generation.</summary>
    public uint Generation { get; internal set; }

    /// <summary>The release that lags are counted from: the highest level seen.</summary>
    public ulong Base { get; internal set; }

    /// <summary>The first position included.</summary>
    public ushort From { get; internal set; }

    /// <summary>The first position that did not fit; <see cref="Open"/> while all do.</summary>
    public ushort Until { get; internal set; }

    /// <summary>The number of positions included.</summary>
    public int Covered { get; internal set; }

    internal bool IsOpen => Until == Open;

    internal short[] Heads { get; } = new short[LevelCount];

    internal short[] Tails { get; } = new short[LevelCount];

    internal void Set(uint topic, uint generation, ulong baseRelease, ushort from, ushort until)
    {
        Topic = topic;
        Generation = generation;
        Base = baseRelease;
        From = from;
        Until = until;
        Covered = 0;
        Heads.AsSpan().Fill(-1);
        Tails.AsSpan().Fill(-1);
    }

    internal bool IsOf(uint topic, uint generation) => Topic == topic && Generation == generation;
}
