namespace Ripple.Engine.Tests.Streams;

/// <summary>
/// What is missing may wait unread in front of this core, behind other data. It is not asked for again meanwhile, for as long as that can
/// be. Times are those of the default options: 5 ms to the first repeat, 40 ms where the core never drains its data.
/// </summary>
public sealed class GapQueueTests
{
    private const long MsNs = 1_000_000;
    private readonly GapRig _rig = new() { NowNs = 100 * MsNs };

    [Fact]
    public void A_repair_that_may_wait_unread_is_not_asked_for_again_until_the_core_has_looked()
    {
        _rig.Arrive(2);
        Assert.Equal([1], _rig.Ask());
        // Data that came one round-trip after the request, 2 ms, were not all handled.
        _rig.DrainedNs = (102 * MsNs) - 1;
        Assert.Empty(_rig.AskAt(105 * MsNs));
        Assert.Equal(106 * MsNs, _rig.DueNs);

        _rig.DrainedNs = 102 * MsNs;
        Assert.Equal([1], _rig.AskAt(106 * MsNs));
    }

    [Fact]
    public void A_core_that_is_never_idle_asks_again_all_the_same()
    {
        _rig.Arrive(2);
        Assert.Equal([1], _rig.Ask());
        _rig.DrainedNs = 100 * MsNs;
        int looks = 0;
        while (_rig.AskAt(_rig.DueNs).Length == 0)
        {
            looks++;
            Assert.True(_rig.NowNs < 140 * MsNs);
        }

        // Eight times the first distance, looked at each millisecond.
        Assert.Equal(140 * MsNs, _rig.NowNs);
        Assert.Equal(35, looks);
    }

    [Fact]
    public void A_core_that_is_never_idle_asks_again_at_doubling_distances_although_others_are_answered()
    {
        _rig.DrainedNs = 0;
        _rig.Arrive([1, .. From(61, 600)]);
        Assert.Equal(From(2, 60), _rig.Ask());
        ulong answered = 2;
        long askedNs = _rig.NowNs;
        foreach (long distanceMs in (long[])[40, 80, 160, 320, 320])
        {
            AskAgain();
            Assert.Equal(distanceMs, (_rig.NowNs - askedNs) / MsNs);
            askedNs = _rig.NowNs;
            // An answer to what was asked for again says nothing about how long answers take.
            _rig.NowNs += MsNs;
            _rig.Arrive(answered++);
        }
    }

    [Fact]
    public void An_answer_that_can_be_measured_starts_these_distances_over()
    {
        LoseFirst(repeats: 2);
        long askedNs = _rig.NowNs;
        _rig.Arrive([.. From(3, 128), 130]);
        Assert.Equal([129], _rig.AskAt(askedNs + MsNs));
        _rig.NowNs += MsNs;
        _rig.Arrive(129);

        Assert.Equal(MsNs, _rig.RttNs);
        AskAgain();
        Assert.Equal(40 * MsNs, _rig.NowNs - askedNs);
    }

    [Fact]
    public void Data_that_were_all_handled_since_start_these_distances_over()
    {
        LoseFirst(repeats: 4);
        // All that had come was handled after the last request, and now data wait again.
        _rig.NowNs += MsNs;
        _rig.DrainedNs = _rig.NowNs;
        _rig.NowNs += MsNs;
        _rig.Arrive(4);
        long askedNs = _rig.NowNs;
        Assert.Contains(3UL, _rig.Ask());
        AskAgain();
        Assert.Equal(40 * MsNs, _rig.NowNs - askedNs);
    }

    [Fact]
    public void Many_that_are_late_at_one_time_double_the_distance_once()
    {
        _rig.DrainedNs = 0;
        _rig.Arrive(2, 200);
        Assert.Equal([1, .. From(3, 199)], _rig.Ask());
        Assert.Contains(1UL, _rig.AskAt(140 * MsNs));
        Assert.Contains(199UL, _rig.AskAt(180 * MsNs));
        Assert.DoesNotContain(1UL, _rig.AskAt(219 * MsNs));
        Assert.Contains(1UL, _rig.AskAt(220 * MsNs));
    }

    [Fact]
    public void A_peer_that_does_not_answer_doubles_nothing()
    {
        _rig.DrainedNs = 0;
        _rig.Arrive(2);
        Assert.Equal([1], _rig.AskPeer(0));
        foreach (long distanceMs in (long[])[40, 40, 80])
        {
            long askedNs = _rig.NowNs;
            AskAgain();
            Assert.Equal(distanceMs, (_rig.NowNs - askedNs) / MsNs);
        }
    }

    [Fact]
    public void What_is_whole_again_starts_these_distances_over()
    {
        LoseFirst(repeats: 4);
        _rig.Arrive(1);
        _rig.NowNs += MsNs;
        _rig.Arrive(4);
        long askedNs = _rig.NowNs;
        Assert.Equal([3], _rig.Ask());
        AskAgain();
        Assert.Equal(40 * MsNs, _rig.NowNs - askedNs);
    }

    [Fact]
    public void Behind_more_data_than_that_the_time_an_answer_takes_is_learnt()
    {
        const int AnswerMs = 300;
        const int LossEveryMs = 10;
        _rig.DrainedNs = 0;
        var answers = new SortedDictionary<long, List<ulong>>();
        long asked = 0;
        const int Losses = 400;
        for (int ms = 0; ms < (Losses * LossEveryMs) + 2_000; ms++)
        {
            _rig.NowNs += MsNs;
            if (ms % LossEveryMs == 0 && ms < Losses * LossEveryMs)
            {
                // 64 packets, of which the first is lost.
                ulong first = 1 + (64UL * (ulong)(ms / LossEveryMs));
                _rig.Arrive(From(first + 1, first + 63));
            }

            if (answers.Remove(_rig.NowNs, out List<ulong>? arrived))
            {
                _rig.Arrive([.. arrived]);
            }

            ulong[] sequences = _rig.Ask();
            asked += sequences.Length;
            if (sequences.Length > 0)
            {
                answers[_rig.NowNs + (AnswerMs * MsNs)] = [.. sequences];
            }
        }

        Assert.True(_rig.IsWhole);
        Assert.InRange(_rig.RttNs, AnswerMs * MsNs, (AnswerMs + 1) * MsNs);
        // Each once, but for the first few tenths of a second.
        Assert.InRange(asked, Losses, Losses * 5 / 4);
    }

    private static ulong[] From(ulong first, ulong last) =>
        [.. Enumerable.Range((int)first, (int)(last - first + 1)).Select(i => (ulong)i)];

    /// <summary>The first packet is lost, and asked for again and again in vain.</summary>
    private void LoseFirst(int repeats)
    {
        _rig.DrainedNs = 0;
        _rig.Arrive(2);
        Assert.Equal([1], _rig.Ask());
        for (int i = 0; i < repeats; i++)
        {
            AskAgain();
        }
    }

    private void AskAgain()
    {
        while (_rig.AskAt(Math.Max(_rig.NowNs, _rig.DueNs)).Length == 0)
        {
        }
    }
}
