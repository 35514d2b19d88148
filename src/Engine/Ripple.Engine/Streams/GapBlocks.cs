using System.Numerics;

namespace Ripple.Engine.Streams;

/// <summary>
/// Schedules a receiver's requests for missing packets and their repeats: for each block of 64 sequences of the window, which were
/// requested, and when the next request is due. The window itself knows which are missing. Fixed memory, allocated at the first loss, that
/// suffices for any number and pattern of losses.
/// </summary>
/// <remarks>
/// The receiver side of a NAK protocol as described by RFC 5401: a request after a random delay, no repeat within a round-trip, then
/// repeats at doubling intervals. The round-trip is smoothed by an eighth as in RFC 6298 (section 2), and measured only on first requests
/// (section 3 there: Karn's algorithm). QSM recovers from neighbors when the token passes (section 2); a request at once costs a round-trip
/// instead of a token round. See docs/design/streams.md, Missing.
/// </remarks>
internal sealed class GapBlocks(StreamOptions options, ReceiveWindow window)
{
    private const int BlocksMax = NakFrame.WordsMax;
    private const int UndrainedRepeats = 8;
    // By default the longest wait is less than the longest distance of repeats, and a third of what makes a full window a stall.
    private const int UndrainedGrowth = 8;
    private const int SequencesPerBlock = NakFrame.SequencesPerWord;
    private Block[] _blocks = [];
    private long _answeredNs;
    // A core that never drains its data repeats a request anyway, after this long: twice as long with each repeat of a request to the
    // sender, until something is measured. What waits behind that much data would be asked for again and again, and never measured.
    private long _undrainedNs = UndrainedRepeats * options.NakRepeatMinNs;
    // When it doubled. A request from before does not double it again, for many blocks are late at one time; data that were drained since
    // end it.
    private long _undrainedSinceNs = long.MinValue;

    /// <summary>The request for every missing sequence up to here is scheduled.</summary>
    public ulong Covered { get; private set; } = window.Contiguous;

    public bool IsEmpty => window.Contiguous >= Covered;

    /// <summary>The smoothed time from a request to its repair, in nanoseconds; an assumed value until one was measured.</summary>
    public long RttNs { get; private set; } = options.FirstRttNs;

    public bool HasRtt { get; private set; }

    /// <summary>The earliest time of the next request, so that losses close to each other share one frame.</summary>
    public long NotBeforeNs { get; private set; }

    /// <summary>When the next request is due; <see cref="long.MaxValue"/> when nothing is missing.</summary>
    public long NextDueNs
    {
        get
        {
            long next = long.MaxValue;
            for (ulong number = FirstBlock; number <= LastBlock && !IsEmpty; number++)
            {
                ulong missing = window.Missing(number, Covered);
                ref Block block = ref At(number);
                if (missing != 0 && block.Number == number)
                {
                    next = Math.Min(next, (missing & ~block.Asked) != 0 ? block.FreshDueNs : long.MaxValue);
                    next = Math.Min(next, (missing & block.Asked) != 0 ? block.DueNs : long.MaxValue);
                }
            }

            return next == long.MaxValue ? next : Math.Max(next, NotBeforeNs);
        }
    }

    /// <summary>The block of the first missing sequence.</summary>
    public ulong FirstBlock => (window.Contiguous + 1) / SequencesPerBlock;

    /// <summary>The block of the last sequence that was examined.</summary>
    public ulong LastBlock => Covered / SequencesPerBlock;

    /// <summary>Everything up to a sequence was examined, and its missing sequences were added.</summary>
    public void Cover(ulong sequence) => Covered = Math.Max(Covered, sequence);

    /// <summary>
    /// Adds newly discovered missing sequences, to be requested at the given time, or together with earlier requests for their blocks.
    /// </summary>
    public void Add(ulong first, ulong last, long dueNs)
    {
        if (_blocks.Length == 0)
        {
            _blocks = new Block[BlocksMax];
            _blocks.AsSpan().Fill(new Block { Number = ulong.MaxValue });
        }

        if (IsEmpty)
        {
            ForgetUndrained();
        }

        for (ulong number = first / SequencesPerBlock; number <= last / SequencesPerBlock; number++)
        {
            ref Block block = ref At(number);
            if (block.Number != number)
            {
                block = new Block { Number = number, FreshDueNs = long.MaxValue };
            }

            block.FreshDueNs = Math.Min(block.FreshDueNs, dueNs);
        }
    }

    /// <summary>A missing sequence arrived.</summary>
    public void Fill(ulong sequence, long nowNs)
    {
        if (sequence > Covered || _blocks.Length == 0)
        {
            return;
        }

        ref Block block = ref At(sequence / SequencesPerBlock);
        if (block.Number == sequence / SequencesPerBlock && (block.Asked & Bit(sequence)) != 0)
        {
            _answeredNs = nowNs;
        }

        // Karn's algorithm (RFC 6298, 3): after a repeat it is unknown which request was answered.
        if (block.Number == sequence / SequencesPerBlock && (block.Asked & ~block.Repeated & Bit(sequence)) != 0)
        {
            Measure(nowNs - block.AskedNs);
        }
    }

    /// <summary>A sequence arrived but could not be taken: its block is requested again soon after the stream has advanced to it.</summary>
    public void Refuse(ulong sequence)
    {
        if (sequence <= Covered && _blocks.Length > 0)
        {
            ref Block block = ref At(sequence / SequencesPerBlock);
            block.IsRefused |= block.Number == sequence / SequencesPerBlock;
        }
    }

    /// <summary>
    /// The stream advanced and packets are missing: those refused at its head fit now, so their request moves forward. A round-trip is left
    /// for packets that are under way. False when none were refused there.
    /// </summary>
    public bool TryHasten(long nowNs)
    {
        ref Block block = ref At(FirstBlock);
        if (block.Number != FirstBlock || !block.IsRefused)
        {
            return false;
        }

        block.IsRefused = false;
        block.Repeats = 0;
        block.DueNs = Math.Min(block.DueNs, nowNs + Math.Max(RttNs, options.NakSpreadMaxNs));
        return true;
    }

    /// <summary>Forgets everything above a sequence.</summary>
    public void DropAbove(ulong highest)
    {
        if (highest >= Covered)
        {
            return;
        }

        for (ulong number = Math.Max(FirstBlock, (highest + 1) / SequencesPerBlock); number <= LastBlock; number++)
        {
            ref Block block = ref At(number);
            if (block.Number == number)
            {
                ulong kept = number == highest / SequencesPerBlock ? Bit(highest) | (Bit(highest) - 1) : 0;
                block.Asked &= kept;
                block.OfPeer &= kept;
            }
        }

        Covered = highest;
    }

    /// <summary>
    /// The missing sequences of a block whose first request is due, a bit each; 0 where a repeat is due, too: that goes to the sender, and
    /// takes along what is new.
    /// </summary>
    public ulong FirstDue(ulong number, long nowNs)
    {
        ulong missing = window.Missing(number, Covered);
        ref Block block = ref At(number);
        bool isDue = missing != 0 && block.Number == number && block.FreshDueNs <= nowNs;
        return !isDue || ((missing & block.Asked) != 0 && block.DueNs <= nowNs) ? 0 : missing & ~block.Asked;
    }

    /// <summary>
    /// Missing sequences of a block were asked of a peer: what it sends of them counts, and what it does not is asked of the sender.
    /// </summary>
    /// <param name="number">The block.</param>
    /// <param name="asked">What <see cref="FirstDue"/> gave.</param>
    /// <param name="nowNs">The time.</param>
    public void OnAskedOfPeer(ulong number, ulong asked, long nowNs)
    {
        ref Block block = ref At(number);
        ulong others = window.Missing(number, Covered) & block.Asked;
        block.OfPeer |= asked;
        block.Asked |= asked;
        block.FreshDueNs = long.MaxValue;
        block.Repeats = 0;
        // The peer may lack it too, and have to ask first.
        long dueNs = nowNs + RepeatDelayNs(0) + RttNs;
        block.DueNs = others == 0 ? dueNs : Math.Min(block.DueNs, dueNs);
        block.Repeated |= others;
        block.AskedNs = nowNs;
        NotBeforeNs = nowNs + Math.Min(RttNs, options.NakSpreadMaxNs);
    }

    /// <summary>True if a sequence was asked of a peer, and its block is still in the window.</summary>
    public bool IsOfPeer(ulong sequence)
    {
        if (_blocks.Length == 0)
        {
            return false;
        }

        ref Block block = ref At(sequence / SequencesPerBlock);
        return block.Number == sequence / SequencesPerBlock && (block.OfPeer & Bit(sequence)) != 0;
    }

    /// <summary>
    /// Somebody asks this member for sequences that it misses itself: it asks for them now, if it has not yet. True if there are any.
    /// </summary>
    public bool TryHasten(ulong number, ulong wanted, long nowNs)
    {
        if (IsEmpty || number < FirstBlock || number > LastBlock)
        {
            return false;
        }

        ulong missing = window.Missing(number, Covered) & wanted;
        ref Block block = ref At(number);
        if (missing == 0 || block.Number != number || (missing & ~block.Asked) == 0)
        {
            return false;
        }

        block.FreshDueNs = Math.Min(block.FreshDueNs, nowNs);
        return true;
    }

    /// <summary>Takes the sequences that are due, and schedules their repeats.</summary>
    /// <param name="nowNs">The time.</param>
    /// <param name="drainedNs">The time, in nanoseconds, up to which all received data packets have been processed: a repair that arrived
    /// later may still be queued, and is not requested again.</param>
    /// <param name="missing">Room for <see cref="NakFrame.WordsMax"/> words; receives a bit for each sequence to request.</param>
    /// <param name="start">The sequence of the lowest bit of the first word, which is not 0.</param>
    /// <param name="repeats">How many of the sequences were requested before.</param>
    /// <returns>How many words are used; 0 when nothing is due.</returns>
    public int TakeDue(long nowNs, long drainedNs, Span<ulong> missing, out ulong start, out int repeats)
    {
        int count = 0;
        start = 0;
        repeats = 0;
        if (drainedNs >= _undrainedSinceNs)
        {
            // What it doubled for is gone.
            ForgetUndrained();
        }

        for (ulong number = FirstBlock; number <= LastBlock && !IsEmpty; number++)
        {
            ulong due = TakeDue(number, nowNs, drainedNs, ref repeats);
            if (due == 0)
            {
                continue;
            }

            if (count == 0)
            {
                start = number * SequencesPerBlock;
                missing.Clear();
            }

            int index = (int)(number - (start / SequencesPerBlock));
            missing[index] = due;
            count = index + 1;
        }

        if (count > 0)
        {
            NotBeforeNs = nowNs + Math.Min(RttNs, options.NakSpreadMaxNs);
        }

        return count;
    }

    private static ulong Bit(ulong sequence) => 1UL << (int)(sequence % SequencesPerBlock);

    private ulong TakeDue(ulong number, long nowNs, long drainedNs, ref int repeats)
    {
        ulong missing = window.Missing(number, Covered);
        ref Block block = ref At(number);
        if (missing == 0 || block.Number != number)
        {
            return 0;
        }

        ulong fresh = block.FreshDueNs <= nowNs ? missing & ~block.Asked : 0;
        ulong asked = missing & block.Asked;
        bool isUndrained = drainedNs < block.AskedNs + RttNs;
        if (asked != 0 && block.DueNs <= nowNs && isUndrained && nowNs < block.AskedNs + _undrainedNs)
        {
            block.DueNs = nowNs + options.NakSpreadMaxNs;
        }

        ulong again = block.DueNs <= nowNs ? asked : 0;
        if (again != 0 && isUndrained && block.Repeats > 0 && block.AskedNs >= _undrainedSinceNs)
        {
            _undrainedNs = Math.Min(2 * _undrainedNs, UndrainedGrowth * UndrainedRepeats * options.NakRepeatMinNs);
            _undrainedSinceNs = nowNs;
        }

        if ((fresh | again) == 0)
        {
            return 0;
        }

        if (fresh != 0)
        {
            block.FreshDueNs = long.MaxValue;
        }

        // Intervals grow while no repair arrives, or while the repairs find no room. A new loss resets them for its whole block.
        if (fresh != 0 || (_answeredNs > block.AskedNs && !block.IsRefused))
        {
            block.Repeats = 0;
        }

        long dueNs = nowNs + RepeatDelayNs(block.Repeats);
        block.DueNs = asked == again ? dueNs : Math.Min(block.DueNs, dueNs);
        block.Repeats++;
        // Only the time of the newest request is kept: earlier ones can no longer be measured.
        block.Repeated |= asked;
        block.Asked |= fresh;
        block.AskedNs = nowNs;
        repeats += BitOperations.PopCount(again);
        return fresh | again;
    }

    private ref Block At(ulong number) => ref _blocks[(int)(number % BlocksMax)];

    private long RepeatDelayNs(int repeats)
    {
        long delayNs = Math.Max(2 * RttNs, options.NakRepeatMinNs);
        for (int i = 0; i < repeats && delayNs < options.NakRepeatMaxNs; i++)
        {
            delayNs *= 2;
        }

        return Math.Min(delayNs, options.NakRepeatMaxNs);
    }

    private void Measure(long sampleNs)
    {
        RttNs = HasRtt ? RttNs + ((sampleNs - RttNs) / 8) : sampleNs;
        HasRtt = true;
        ForgetUndrained();
    }

    private void ForgetUndrained() => _undrainedNs = UndrainedRepeats * options.NakRepeatMinNs;

    private struct Block
    {
        public ulong Number;
        public ulong Asked;
        public ulong Repeated;
        public ulong OfPeer;
        public long FreshDueNs;
        public long DueNs;
        public long AskedNs;
        public int Repeats;
        public bool IsRefused;
    }
}
