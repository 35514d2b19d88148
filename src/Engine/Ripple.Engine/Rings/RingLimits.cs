using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>What a token holds at most. The parts below fit one packet together: <see cref="RingToken"/> keeps the sum.</summary>
internal static class RingLimits
{
    /// <summary>The most bytes of a token: one packet's frames less the frame header.</summary>
    public const int TokenBytesMax = WireLimits.FramesBytesMax - FrameReader.HeaderBytes;

    /// <summary>The most streams in one token; more take turns.</summary>
    public const int StreamsMax = 4;

    /// <summary>
    /// The most streams that a member remembers between rounds, and that an acknowledgement gives floors of: those of four tokens in turn.
    /// A node takes a stream of each host that sends to its region, which is one today. Of a stream beyond these a floor is told again, and
    /// progress is not noticed.
    /// </summary>
    internal const int StreamsKnownMax = 4 * StreamsMax;

    /// <summary>The most topics in one token; more take turns.</summary>
    public const int TopicsMax = 16;

    /// <summary>The most rejections in one token; more take turns.</summary>
    public const int RejectionsMax = 16;

    /// <summary>The most bytes of a rejection's reason; longer text is cut between characters.</summary>
    public const int ReasonBytesMax = 80;

    /// <summary>The most silent positions named in one token; more are counted only.</summary>
    public const int SilentMax = 64;

    /// <summary>The most silent positions of an acknowledged round that a token repeats; a round with more confirms nothing.</summary>
    public const int ConfirmedSilentMax = 32;

    /// <summary>The largest lag that is exact.</summary>
    public const int LagExactMax = 253;

    /// <summary>That far behind the base, or more.</summary>
    public const byte LagFar = 254;

    /// <summary>Nothing known at this position: silent, or another generation.</summary>
    public const byte LagUnknown = 255;

    /// <summary>The highest round number; a higher one is malformed.</summary>
    public const ulong RoundMax = 1UL << 62;
}
