using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>Limits on the content of a token. Together the parts below fit one packet: <see cref="RingToken"/> keeps the sum.</summary>
internal static class RingLimits
{
    /// <summary>What is in a packet beside a token: the frame header, and the proof of the aggregate it becomes.</summary>
    public const int AroundTokenBytes = FrameReader.HeaderBytes + AggregateProof.Bytes;

    /// <summary>The most bytes of a token in the largest packet.</summary>
    public const int TokenBytesMax = WireLimits.FramesBytesMax - AroundTokenBytes;

    /// <summary>The most streams in one token; more take turns.</summary>
    public const int StreamsMax = 4;

    /// <summary>
    /// The most streams that a member remembers between rounds, and that an acknowledgement contains floors of: those of four tokens in
    /// turn. A node receives one stream from each host that sends to its region, currently one. For streams beyond the limit, floors are
    /// repeated and progress goes unnoticed.
    /// </summary>
    internal const int StreamsKnownMax = 4 * StreamsMax;

    /// <summary>The most topics in one token; more take turns.</summary>
    public const int TopicsMax = 40;

    /// <summary>
    /// The most topics that a member of an interest of up to <see cref="TopicsShortMax"/> puts into a token: older members, which know no
    /// larger interest, read no more.
    /// </summary>
    public const int TopicsOfShortMax = 16;

    /// <summary>The most applications of an interest that older members know.</summary>
    public const int TopicsShortMax = 64;

    /// <summary>The most topics that a member remembers as not told, or that a leader asks for: those of the largest interest.</summary>
    public const int TopicsOpenMax = 1_024;

    /// <summary>The most rejections in one token; more take turns.</summary>
    public const int RejectionsMax = 16;

    /// <summary>The most bytes of a rejection's reason; longer text is cut between characters.</summary>
    public const int ReasonBytesMax = 80;

    /// <summary>The most silent positions named in one token; further ones are only counted.</summary>
    public const int SilentMax = 64;

    /// <summary>
    /// The most silent positions of an acknowledged round that a token repeats; a round with more silent positions confirms nothing.
    /// </summary>
    public const int ConfirmedSilentMax = 32;

    /// <summary>The largest lag that is stored exactly.</summary>
    public const int LagExactMax = 253;

    /// <summary>Marks a value that is this far behind the base, or further.</summary>
    public const byte LagFar = 254;

    /// <summary>Marks an unknown value: the position is silent, or does not have the topic in this generation.</summary>
    public const byte LagUnknown = 255;

    /// <summary>The highest round number; a higher one is malformed.</summary>
    public const ulong RoundMax = 1UL << 62;

    /// <summary>The most topics that a member puts into a token in a region with an interest of so many applications.</summary>
    public static int TopicsMaxOf(int interestCount) => interestCount > TopicsShortMax ? TopicsMax : TopicsOfShortMax;
}
