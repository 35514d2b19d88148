namespace Ripple.Engine.Streams;

/// <summary>
/// What a receiver misses and when it asks for it (again): ranges, ascending. A fixed number of them; when there are more, the highest are left out and
/// found again in the window when there is room: <see cref="Covered"/> says up to where the list is complete.
/// </summary>
internal sealed class GapList(StreamOptions options)
{
    private const int GapsMax = 128;
    private Gap[] _gaps = [];

    /// <summary>Every missing sequence up to here is in the list.</summary>
    public ulong Covered { get; set; }

    public int Count { get; private set; }

    public bool IsFull => Count == GapsMax;

    /// <summary>The smoothed time from a request to its repair; what was assumed until one was measured.</summary>
    public long RttNs { get; private set; } = options.FirstRttNs;

    public bool HasRtt { get; private set; }

    public long NextDueNs
    {
        get
        {
            long next = long.MaxValue;
            for (int i = 0; i < Count; i++)
            {
                next = Math.Min(next, _gaps[i].DueNs);
            }

            return next;
        }
    }

    /// <summary>Adds a range above all others; there must be room.</summary>
    public void Add(ulong first, ulong last, long dueNs)
    {
        if (_gaps.Length == 0)
        {
            _gaps = new Gap[GapsMax];
        }

        _gaps[Count++] = new Gap { First = first, Last = last, DueNs = dueNs };
    }

    /// <summary>A sequence arrived.</summary>
    public void Fill(ulong sequence, long nowNs)
    {
        int index = IndexOf(sequence);
        if (index < 0)
        {
            return;
        }

        ref Gap gap = ref _gaps[index];
        // Karn: after a repeat nobody knows which request was answered.
        if (gap.Asked == 1)
        {
            Measure(nowNs - gap.AskedNs);
        }

        if (gap.First == gap.Last)
        {
            RemoveAt(index);
        }
        else if (sequence == gap.First)
        {
            gap.First++;
        }
        else if (sequence == gap.Last)
        {
            gap.Last--;
        }
        else
        {
            Split(index, sequence);
        }
    }

    /// <summary>A sequence came and could not be taken: its range is asked for again soon after the stream has moved on.</summary>
    public void Refuse(ulong sequence)
    {
        int index = IndexOf(sequence);
        if (index >= 0)
        {
            _gaps[index].IsRefused = true;
        }
    }

    /// <summary>The stream has moved on: what was refused at its head fits now. A round-trip is left for what is on its way.</summary>
    public bool TryHasten(long nowNs)
    {
        if (Count == 0 || !_gaps[0].IsRefused)
        {
            return false;
        }

        ref Gap gap = ref _gaps[0];
        gap.IsRefused = false;
        gap.Repeats = 0;
        gap.DueNs = Math.Min(gap.DueNs, nowNs + Math.Max(RttNs, options.NakSpreadMaxNs));
        return true;
    }

    /// <summary>Forgets everything up to a sequence.</summary>
    public void DropTo(ulong contiguous)
    {
        int kept = 0;
        for (int i = 0; i < Count; i++)
        {
            Gap gap = _gaps[i];
            if (gap.Last > contiguous)
            {
                gap.First = Math.Max(gap.First, contiguous + 1);
                _gaps[kept++] = gap;
            }
        }

        Count = kept;
    }

    /// <summary>Forgets everything above a sequence.</summary>
    public void DropAbove(ulong highest)
    {
        while (Count > 0 && _gaps[Count - 1].First > highest)
        {
            Count--;
        }

        if (Count > 0)
        {
            _gaps[Count - 1].Last = Math.Min(_gaps[Count - 1].Last, highest);
        }

        Covered = Math.Min(Covered, highest);
    }

    /// <summary>Takes the ranges that are due, the lowest first, and says when each is due again. Returns how many; at most the room given.</summary>
    public int TakeDue(long nowNs, Span<SequenceRange> ranges, out int repeats)
    {
        int taken = 0;
        repeats = 0;
        for (int i = 0; i < Count && taken < ranges.Length; i++)
        {
            ref Gap gap = ref _gaps[i];
            if (gap.DueNs > nowNs)
            {
                continue;
            }

            ranges[taken++] = new SequenceRange(gap.First, (uint)(gap.Last - gap.First + 1));
            repeats += gap.Asked > 0 ? 1 : 0;
            gap.AskedNs = nowNs;
            gap.DueNs = nowNs + RepeatDelayNs(gap.Repeats);
            gap.Asked++;
            gap.Repeats++;
        }

        return taken;
    }

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
    }

    private void Split(int index, ulong sequence)
    {
        ulong last = _gaps[index].Last;
        if (IsFull)
        {
            // The highest range makes room, and is found again when there is some.
            Count--;
            if (index == Count)
            {
                Count++;
                _gaps[index].Last = sequence - 1;
                Covered = sequence;
                return;
            }

            Covered = _gaps[Count].First - 1;
        }

        Array.Copy(_gaps, index + 1, _gaps, index + 2, Count - index - 1);
        Count++;
        _gaps[index + 1] = _gaps[index] with { First = sequence + 1, Last = last };
        _gaps[index].Last = sequence - 1;
    }

    private void RemoveAt(int index)
    {
        Count--;
        Array.Copy(_gaps, index + 1, _gaps, index, Count - index);
    }

    private int IndexOf(ulong sequence)
    {
        int low = 0;
        int high = Count - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            if (_gaps[middle].Last < sequence)
            {
                low = middle + 1;
            }
            else if (_gaps[middle].First > sequence)
            {
                high = middle - 1;
            }
            else
            {
                return middle;
            }
        }

        return -1;
    }

    private struct Gap
    {
        public ulong First;
        public ulong Last;
        public long DueNs;
        public long AskedNs;
        public int Asked;
        public int Repeats;
        public bool IsRefused;
    }
}
