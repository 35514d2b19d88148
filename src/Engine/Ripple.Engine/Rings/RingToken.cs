namespace Ripple.Engine.Rings;

/// <summary>
/// A token, or a finished round: the progress of the members visited so far, by ring position. Uses fixed arrays, allocated once and
/// reused; the runs of equal lags of all topics share one arena. Belongs to the core thread.
/// </summary>
/// <remarks>
/// The encoded parts, in bytes: header 29, confirmed silent positions 65, streams 137, silent positions 131, rejections up to 512 with 208
/// reserved for them, and topics: the rest, at least 548, or 252 in a region of the smallest datagrams. What other parts do not need is
/// theirs: 1,123 bytes beside one stream in a quiet round, 40 topics in step and more.
/// </remarks>
internal sealed partial class RingToken
{
    internal const int HeaderBytes = 29;
    internal const int StreamBytes = 34;
    internal const int TopicBytes = 20;
    internal const int RejectionsBytesMax = 512;
    internal const int RejectionsBytesKept = 208;
    private const int RunsMax = 1_024;

    /// <summary>The counts before confirmed silent positions, streams, topics, silent positions and rejections.</summary>
    private const int CountsBytes = 1 + 1 + 1 + 3 + 1;

    /// <summary>Memory of a token: the arena of runs, and its parts with their overhead.</summary>
    internal const int Bytes = (5 * RunsMax)
        + (40 * RingLimits.StreamsMax) + (128 * RingLimits.TopicsMax) + ((RingLimits.ReasonBytesMax + 96) * RingLimits.RejectionsMax)
        + (2 * (RingLimits.SilentMax + RingLimits.ConfirmedSilentMax)) + 400;

    private readonly RingTokenStream[] _streams = new RingTokenStream[RingLimits.StreamsMax];
    private readonly RingTokenTopic[] _topics = new RingTokenTopic[RingLimits.TopicsMax];
    private readonly RingTokenRejection[] _rejections = new RingTokenRejection[RingLimits.RejectionsMax];
    private readonly ushort[] _silent = new ushort[RingLimits.SilentMax];
    private readonly ushort[] _confirmedSilent = new ushort[RingLimits.ConfirmedSilentMax];
    private int _streamCount;
    private int _topicCount;
    private int _rejectionCount;
    private int _silentCount;
    private int _confirmedSilentCount;

    /// <summary>Creates an empty token.</summary>
    public RingToken()
    {
        for (int i = 0; i < _topics.Length; i++)
        {
            _topics[i] = new RingTokenTopic();
        }

        for (int i = 0; i < _rejections.Length; i++)
        {
            _rejections[i] = new RingTokenRejection();
        }
    }

    /// <summary>The largest lag that this member writes as a number; a larger one is written as far behind.</summary>
    public ulong LagExactMax { get; init; } = RingLimits.LagExactMax;

    /// <summary>The most topics that this member puts into it.</summary>
    public int TopicsMax { get; init; } = RingLimits.TopicsMax;

    /// <summary>The members of this member's ring.</summary>
    public int Positions { get; set; }

    /// <summary>The most bytes that this member writes of it; the same for all members of the region.</summary>
    public int BytesMax { get; init; } = RingLimits.TokenBytesMax;

    /// <summary>The number of the view that positions refer to.</summary>
    public ulong View { get; internal set; }

    /// <summary>The round, counted within the view by who leads it: <see cref="RoundNumber"/>.</summary>
    public ulong Round { get; internal set; }

    /// <summary>The newest round that the sender acknowledged to the leader; 0 for none.</summary>
    public ulong Confirmed { get; internal set; }

    /// <summary>How many times the token was passed on.</summary>
    public ushort Hop { get; internal set; }

    /// <summary>
    /// The position behind those that are done, visited or skipped: where it goes next, or the end of the part in a finished round.
    /// </summary>
    public ushort Visited { get; internal set; }

    /// <summary>A member had something to report that did not fit: another round is needed.</summary>
    public bool IsPartial { get; internal set; }

    /// <summary>
    /// The round is quiet: hops are not acknowledged, and so neither repeated nor skipped; the next token is the acknowledgement.
    /// </summary>
    public bool IsQuiet { get; internal set; }

    /// <summary>The streams.</summary>
    public ReadOnlySpan<RingTokenStream> Streams => _streams.AsSpan(0, _streamCount);

    /// <summary>The topics, highest priority first: the last ones make room for the others.</summary>
    public ReadOnlySpan<RingTokenTopic> Topics => _topics.AsSpan(0, _topicCount);

    /// <summary>The rejections.</summary>
    public ReadOnlySpan<RingTokenRejection> Rejections => _rejections.AsSpan(0, _rejectionCount);

    /// <summary>The silent positions that are named, ascending.</summary>
    public ReadOnlySpan<ushort> Silent => _silent.AsSpan(0, _silentCount);

    /// <summary>The number of silent positions, named or not.</summary>
    public int SilentTotal { get; internal set; }

    /// <summary>The positions that were silent in the round <see cref="Confirmed"/>.</summary>
    public ReadOnlySpan<ushort> ConfirmedSilent => _confirmedSilent.AsSpan(0, _confirmedSilentCount);

    internal int RejectionsBytes
    {
        get
        {
            int bytes = 0;
            foreach (RingTokenRejection rejection in Rejections)
            {
                bytes += rejection.EncodedBytes;
            }

            return bytes;
        }
    }

    /// <summary>True while the topics leave enough room for the other parts.</summary>
    internal bool IsWithinBudget => TopicsBytes() <= TopicsBytesMax;

    /// <summary>
    /// The room of the topics: what the other parts take, or may still come to take. Nobody becomes silent in a quiet round, and a member
    /// with a further stream adds that only where there is room.
    /// </summary>
    private int TopicsBytesMax => BytesMax
        - HeaderBytes
        - CountsBytes
        - (2 * _confirmedSilentCount)
        - (StreamBytes * Math.Max(1, _streamCount))
        - (2 * (IsQuiet ? _silentCount : RingLimits.SilentMax))
        - Math.Max(RejectionsBytes, RejectionsBytesKept);

    /// <summary>Whether it says nothing of positions before the leader's, nor that the leader was silent in its own round.</summary>
    internal bool IsWithin(int first)
    {
        bool isWithin = Visited > first && (Silent.IsEmpty || Silent[0] > first) && (ConfirmedSilent.IsEmpty || ConfirmedSilent[0] > first);
        foreach (RingTokenTopic topic in Topics)
        {
            isWithin &= topic.From >= first;
        }

        foreach (RingTokenRejection rejection in Rejections)
        {
            isWithin &= rejection.Position >= first;
        }

        foreach (ref readonly RingTokenStream stream in Streams)
        {
            isWithin &= stream.MinPosition >= first;
        }

        return isWithin;
    }

    /// <param name="view">The view.</param>
    /// <param name="round">The round.</param>
    /// <param name="first">The position of the leader, which it visits first.</param>
    internal void Clear(ulong view, ulong round, int first = 0)
    {
        View = view;
        Round = round;
        Confirmed = 0;
        Hop = 0;
        Visited = (ushort)first;
        IsPartial = false;
        IsQuiet = false;
        SilentTotal = 0;
        _runCount = 0;
        _streamCount = 0;
        _topicCount = 0;
        _rejectionCount = 0;
        _silentCount = 0;
        _confirmedSilentCount = 0;
    }

    /// <summary>The index of an origin's stream; -1 when absent.</summary>
    internal int IndexOfStream(ulong origin)
    {
        for (int i = 0; i < _streamCount; i++)
        {
            if (_streams[i].Origin == origin)
            {
                return i;
            }
        }

        return -1;
    }

    internal ref RingTokenStream StreamAt(int index) => ref _streams[index];

    internal bool TryAddStream(in RingTokenStream stream)
    {
        if (_streamCount == _streams.Length)
        {
            return false;
        }

        _streams[_streamCount++] = stream;
        return true;
    }

    internal void RemoveLastStream() => _streamCount--;

    internal RingTokenRejection? TryAddRejection()
    {
        return _rejectionCount == _rejections.Length ? null : _rejections[_rejectionCount++];
    }

    internal void RemoveLastRejection() => _rejectionCount--;

    /// <summary>Names a silent position, or only counts it when too many are named.</summary>
    internal void AddSilent(ushort position)
    {
        SilentTotal++;
        if (_silentCount < _silent.Length)
        {
            _silent[_silentCount++] = position;
        }
    }

    internal void SetConfirmed(ulong round, ReadOnlySpan<ushort> silent)
    {
        Confirmed = round;
        silent.CopyTo(_confirmedSilent);
        _confirmedSilentCount = silent.Length;
    }
}

/// <summary>One stream in a token.</summary>
internal record struct RingTokenStream
{
    /// <summary>The position value that means none.</summary>
    public const ushort NoPosition = ushort.MaxValue;

    /// <summary>The sender's incarnation.</summary>
    public ulong Origin { get; set; }

    /// <summary>The lowest contiguous sequence of the visited members that count; <see cref="ulong.MaxValue"/> when none did.</summary>
    public ulong MinContiguous { get; set; }

    /// <summary>The position of the member with the lowest sequence; <see cref="NoPosition"/> when none counted.</summary>
    public ushort MinPosition { get; set; }

    /// <summary>The highest sequence known to any visited member.</summary>
    public ulong Highest { get; set; }

    /// <summary>The sender's highest floor that the leader knew when it started the round; 0 for none.</summary>
    public ulong Floor { get; set; }
}

/// <summary>One rejection in a token. Reused: valid until the token is cleared or read into.</summary>
internal sealed class RingTokenRejection
{
    private readonly byte[] _reason = new byte[RingLimits.ReasonBytesMax];
    private int _reasonBytes;

    /// <summary>The position of the rejecting member.</summary>
    public ushort Position { get; private set; }

    /// <summary>The application's number.</summary>
    public uint Topic { get; private set; }

    /// <summary>Its generation.</summary>
    public uint Generation { get; private set; }

    /// <summary>The release.</summary>
    public ulong Release { get; private set; }

    /// <summary>The reason, in valid UTF-8.</summary>
    public ReadOnlySpan<byte> Reason => _reason.AsSpan(0, _reasonBytes);

    internal int EncodedBytes => 19 + _reasonBytes;

    internal void Set(ushort position, uint topic, uint generation, ulong release, ReadOnlySpan<byte> reason)
    {
        Position = position;
        Topic = topic;
        Generation = generation;
        Release = release;
        reason.CopyTo(_reason);
        _reasonBytes = reason.Length;
    }

    internal void Set(ushort position, uint topic, uint generation, ulong release, string reason)
    {
        Set(position, topic, generation, release, default(ReadOnlySpan<byte>));
        // Stops between characters when the array is full.
        System.Text.Unicode.Utf8.FromUtf16(reason, _reason, out _, out _reasonBytes);
    }
}
