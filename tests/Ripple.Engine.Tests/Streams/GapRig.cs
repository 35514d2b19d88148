using System.Numerics;
using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

/// <summary>What one receiver asks for, and when: arrivals go in, the test moves the clock and looks. The first sequence is 1.</summary>
internal sealed class GapRig
{
    private readonly ReceiveWindow _window = new(1);
    private readonly GapBlocks _gaps;

    public GapRig(StreamOptions? options = null)
    {
        Options = options ?? StreamOptions.Default;
        _gaps = new GapBlocks(Options, _window);
    }

    public StreamOptions Options { get; }

    public long NowNs { get; set; }

    /// <summary>Everything that had arrived by then was handled; null: by now.</summary>
    public long? DrainedNs { get; set; }

    /// <summary>How long after a loss is seen it is asked for.</summary>
    public long SpreadNs { get; set; }

    /// <summary>How many of what <see cref="Ask"/> named last was asked for before.</summary>
    public int Repeats { get; private set; }

    /// <summary>How many words the request of <see cref="Ask"/> took.</summary>
    public int Words { get; private set; }

    public long DueNs => _gaps.NextDueNs;

    public bool IsWhole => _gaps.IsEmpty;

    public long RttNs => _gaps.RttNs;

    public bool IsRttMeasured => _gaps.HasRtt;

    public ulong Contiguous => _window.Contiguous;

    /// <summary>Packets arrive now, in this order.</summary>
    public void Arrive(params ulong[] sequences)
    {
        foreach (ulong sequence in sequences)
        {
            _window.Mark(sequence);
            _gaps.Fill(sequence, NowNs);
            Cover(_window.Highest);
        }
    }

    /// <summary>A beacon tells of packets up to a sequence.</summary>
    public void Announce(ulong highest)
    {
        _gaps.DropAbove(Math.Max(highest, _window.Highest));
        Cover(highest);
    }

    /// <summary>A packet came that there was no room for.</summary>
    public void Refuse(ulong sequence)
    {
        Cover(sequence);
        _gaps.Refuse(sequence);
    }

    /// <summary>Somebody asks here for one that is missing here too: whether that is asked for sooner.</summary>
    public bool Want(ulong sequence) =>
        _gaps.TryHasten(sequence / NakFrame.SequencesPerWord, 1UL << (int)(sequence % NakFrame.SequencesPerWord), NowNs);

    /// <summary>The stream moved on: whether something refused is asked for sooner.</summary>
    public bool Hasten() => _gaps.TryHasten(NowNs);

    /// <summary>The sender no longer has what is below a sequence.</summary>
    public void Skip(ulong first) => _window.SkipTo(first);

    /// <summary>What of one block is to be asked of a peer now, and then is.</summary>
    public ulong[] AskPeer(ulong block)
    {
        ulong due = _gaps.FirstDue(block, NowNs);
        if (due != 0)
        {
            _gaps.OnAskedOfPeer(block, due, NowNs);
        }

        return [.. Enumerable.Range(0, 64).Where(bit => (due >> bit & 1) != 0).Select(bit => (block * 64) + (ulong)bit)];
    }

    /// <summary>What is to be asked for now, in one request.</summary>
    public ulong[] Ask()
    {
        ulong[] missing = new ulong[NakFrame.WordsMax];
        int count = _gaps.TakeDue(NowNs, DrainedNs ?? NowNs, missing, out ulong start, out int repeats);
        Repeats = repeats;
        Words = count;
        var asked = new List<ulong>();
        for (int i = 0; i < count; i++)
        {
            for (ulong word = missing[i]; word != 0; word &= word - 1)
            {
                asked.Add(start + ((ulong)i * 64) + (ulong)BitOperations.TrailingZeroCount(word));
            }
        }

        return [.. asked];
    }

    /// <summary>The same at a later time.</summary>
    public ulong[] AskAt(long nowNs)
    {
        NowNs = nowNs;
        return Ask();
    }

    private void Cover(ulong highest)
    {
        ulong limit = Math.Min(highest, _window.Limit);
        for (ulong next = Math.Max(_gaps.Covered, _window.Contiguous) + 1; next <= limit;)
        {
            ulong first = _window.Next(next, limit, isReceived: false);
            if (first > limit)
            {
                break;
            }

            next = _window.Next(first, limit, isReceived: true);
            _gaps.Add(first, next - 1, NowNs + SpreadNs);
        }

        _gaps.Cover(limit);
    }
}
