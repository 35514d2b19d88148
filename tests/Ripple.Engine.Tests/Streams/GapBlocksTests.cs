using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

/// <summary>When what is missing is asked for. Times are those of the default options: 5 ms to the first repeat, 500 ms at most, 1 ms of
/// spread.</summary>
public sealed class GapBlocksTests
{
    private const long MsNs = 1_000_000;
    private readonly GapRig _rig = new() { NowNs = 100 * MsNs };

    [Fact]
    public void Nothing_is_asked_for_while_nothing_is_missing()
    {
        _rig.Arrive(1, 2, 3);

        Assert.True(_rig.IsWhole);
        Assert.Equal(long.MaxValue, _rig.DueNs);
        Assert.Empty(_rig.AskAt(10_000 * MsNs));
        Assert.Equal(0, _rig.Words);
    }

    [Fact]
    public void A_gap_is_asked_for_when_its_delay_is_over_and_not_before()
    {
        _rig.SpreadNs = 300;
        _rig.Arrive(1, 4);

        Assert.Equal((100 * MsNs) + 300, _rig.DueNs);
        Assert.Empty(_rig.AskAt((100 * MsNs) + 299));
        Assert.Equal([2, 3], _rig.AskAt((100 * MsNs) + 300));
        Assert.Equal(0, _rig.Repeats);
    }

    [Fact]
    public void What_somebody_asks_for_here_is_asked_for_at_once()
    {
        _rig.SpreadNs = MsNs;
        _rig.Arrive(1, 4);
        // Here already, and not known to be sent.
        Assert.False(_rig.Want(1));
        Assert.False(_rig.Want(70));
        Assert.Equal(101 * MsNs, _rig.DueNs);

        Assert.True(_rig.Want(3));

        Assert.Equal(100 * MsNs, _rig.DueNs);
        Assert.Equal([2, 3], _rig.Ask());
        // It was asked for, and is repeated as anything is.
        Assert.False(_rig.Want(3));
        Assert.Equal(105 * MsNs, _rig.DueNs);
    }

    [Fact]
    public void A_gap_that_closes_before_its_delay_is_over_is_never_asked_for()
    {
        _rig.SpreadNs = 300;
        _rig.Arrive(1, 3, 2);

        Assert.True(_rig.IsWhole);
        Assert.Equal(long.MaxValue, _rig.DueNs);
        Assert.Empty(_rig.AskAt(200 * MsNs));
    }

    [Fact]
    public void What_nobody_answers_is_asked_for_again_at_doubling_distances_up_to_the_longest()
    {
        _rig.Arrive(2);
        Assert.Equal([1], _rig.Ask());

        foreach (long distanceMs in (long[])[5, 10, 20, 40, 80, 160, 320, 500, 500])
        {
            long dueNs = _rig.NowNs + (distanceMs * MsNs);
            Assert.Equal(dueNs, _rig.DueNs);
            Assert.Empty(_rig.AskAt(dueNs - 1));
            Assert.Equal([1], _rig.AskAt(dueNs));
            Assert.Equal(1, _rig.Repeats);
        }
    }

    [Fact]
    public void A_repeat_names_only_what_is_still_missing()
    {
        _rig.Arrive(6);
        Assert.Equal([1, 2, 3, 4, 5], _rig.Ask());
        _rig.NowNs += MsNs;
        _rig.Arrive(1, 3);

        Assert.Equal([2, 4, 5], _rig.AskAt(_rig.DueNs));
        Assert.Equal(3, _rig.Repeats);
    }

    [Fact]
    public void What_is_whole_again_is_not_asked_for_again()
    {
        _rig.Arrive(3);
        Assert.Equal([1, 2], _rig.Ask());
        _rig.Arrive(1, 2);

        Assert.True(_rig.IsWhole);
        Assert.Equal(long.MaxValue, _rig.DueNs);
        Assert.Empty(_rig.AskAt(_rig.NowNs + (1_000 * MsNs)));
    }

    [Fact]
    public void A_new_loss_beside_an_old_one_is_asked_for_alone_and_by_its_own_time()
    {
        _rig.Arrive(2);
        Assert.Equal([1], _rig.Ask());
        _rig.NowNs += 2 * MsNs;
        _rig.Arrive(4);

        Assert.Equal(_rig.NowNs, _rig.DueNs);
        Assert.Equal([3], _rig.Ask());
        Assert.Equal(0, _rig.Repeats);
        // The old one is repeated at the time it had, and the new one with it: they are of one block.
        Assert.Equal([1, 3], _rig.AskAt(105 * MsNs));
        Assert.Equal(2, _rig.Repeats);
    }

    [Fact]
    public void New_losses_of_a_block_start_its_distances_over()
    {
        _rig.Arrive(2);
        _rig.Ask();
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal([1], _rig.AskAt(_rig.DueNs));
        }

        Assert.Equal(80 * MsNs, _rig.DueNs - _rig.NowNs);
        _rig.NowNs += MsNs;
        _rig.Arrive(4);
        Assert.Equal([3], _rig.Ask());
        Assert.Equal([1, 3], _rig.AskAt(_rig.NowNs + (5 * MsNs)));
    }

    [Fact]
    public void An_answer_for_some_of_a_block_starts_the_distances_of_the_others_over()
    {
        _rig.Arrive(3);
        Assert.Equal([1, 2], _rig.Ask());
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal([1, 2], _rig.AskAt(_rig.DueNs));
        }

        Assert.Equal(40 * MsNs, _rig.DueNs - _rig.NowNs);
        _rig.NowNs += MsNs;
        _rig.Arrive(1);
        Assert.Equal([2], _rig.AskAt(_rig.DueNs));
        Assert.Equal(5 * MsNs, _rig.DueNs - _rig.NowNs);
    }

    [Fact]
    public void Losses_all_over_the_window_share_one_request()
    {
        _rig.Arrive([.. From(1, 8_000).Where(s => s is not (63 or 64 or 65 or 700 or 7_999))]);

        Assert.Equal([63, 64, 65, 700, 7_999], _rig.Ask());
        // From the word of the first to the word of the last.
        Assert.Equal(125, _rig.Words);
        Assert.Empty(_rig.Ask());
    }

    [Fact]
    public void A_request_names_the_whole_window_and_nothing_above_it()
    {
        _rig.Announce(20_000);

        Assert.Equal(From(1, 8_192), _rig.Ask());
        Assert.Equal(NakFrame.WordsMax, _rig.Words);
    }

    [Fact]
    public void The_next_request_waits_for_the_losses_of_the_same_moment()
    {
        _rig.Arrive(2);
        Assert.Equal([1], _rig.Ask());
        _rig.NowNs += 1_000;
        _rig.Arrive(200, 400);

        // 1 ms is the spread, and less than the round-trip.
        Assert.Equal(101 * MsNs, _rig.DueNs);
        Assert.Equal([.. From(3, 199), .. From(201, 399)], _rig.AskAt(_rig.DueNs));
    }

    [Fact]
    public void The_round_trip_is_measured_by_first_requests_and_smoothed()
    {
        _rig.Arrive(2, 4);
        Assert.Equal([1, 3], _rig.Ask());
        Assert.False(_rig.IsRttMeasured);
        Assert.Equal(_rig.Options.FirstRttNs, _rig.RttNs);

        _rig.NowNs += 800_000;
        _rig.Arrive(1);
        Assert.True(_rig.IsRttMeasured);
        Assert.Equal(800_000, _rig.RttNs);
        _rig.NowNs += 800_000;
        _rig.Arrive(3);
        // 7/8 of the old and 1/8 of the new.
        Assert.Equal(900_000, _rig.RttNs);
    }

    [Fact]
    public void An_answer_to_a_repeat_measures_nothing()
    {
        _rig.Arrive(2);
        _rig.Ask();
        Assert.Equal([1], _rig.AskAt(_rig.DueNs));
        _rig.NowNs += MsNs;
        _rig.Arrive(1);

        Assert.False(_rig.IsRttMeasured);
        Assert.Equal(_rig.Options.FirstRttNs, _rig.RttNs);
    }

    [Fact]
    public void What_was_never_asked_for_measures_nothing()
    {
        _rig.SpreadNs = 300;
        _rig.Arrive(1, 3);
        _rig.NowNs += 200;
        _rig.Arrive(2);

        Assert.False(_rig.IsRttMeasured);
    }

    [Fact]
    public void A_long_round_trip_is_waited_for_twice_before_a_repeat()
    {
        _rig.Arrive(2);
        _rig.Ask();
        _rig.NowNs += 4 * MsNs;
        _rig.Arrive(1, 4);
        Assert.Equal(4 * MsNs, _rig.RttNs);

        Assert.Equal([3], _rig.AskAt(_rig.DueNs));
        Assert.Equal(8 * MsNs, _rig.DueNs - _rig.NowNs);
    }

    [Fact]
    public void What_was_refused_is_asked_for_soon_after_the_stream_has_moved_on_to_it()
    {
        _rig.Arrive(3);
        Assert.Equal([1, 2], _rig.Ask());
        for (int i = 0; i < 5; i++)
        {
            _rig.AskAt(_rig.DueNs);
        }

        Assert.Equal(160 * MsNs, _rig.DueNs - _rig.NowNs);
        Assert.False(_rig.Hasten());
        _rig.Refuse(2);
        _rig.Arrive(1);
        Assert.True(_rig.Hasten());

        // A round-trip, for what is on its way.
        Assert.Equal(_rig.Options.FirstRttNs, _rig.DueNs - _rig.NowNs);
        Assert.Equal([2], _rig.AskAt(_rig.DueNs));
        Assert.False(_rig.Hasten());
        Assert.Equal(5 * MsNs, _rig.DueNs - _rig.NowNs);
    }

    [Fact]
    public void Answers_that_find_no_room_do_not_start_the_distances_over()
    {
        _rig.Arrive(3);
        _rig.Ask();
        for (int i = 0; i < 3; i++)
        {
            _rig.AskAt(_rig.DueNs);
        }

        _rig.NowNs += MsNs;
        _rig.Refuse(2);
        _rig.Arrive(1);
        Assert.Equal([2], _rig.AskAt(_rig.DueNs));
        Assert.Equal(80 * MsNs, _rig.DueNs - _rig.NowNs);
    }

    [Fact]
    public void Haste_is_for_the_head_of_the_stream_alone()
    {
        _rig.Arrive(300);
        Assert.Equal(299, _rig.Ask().Length);
        _rig.Refuse(200);

        Assert.False(_rig.Hasten());
        _rig.Arrive(From(1, 199));
        Assert.Equal(199UL, _rig.Contiguous);
        Assert.True(_rig.Hasten());
    }

    [Fact]
    public void What_a_beacon_takes_back_is_not_asked_for_any_more()
    {
        _rig.Arrive(1);
        _rig.Announce(200);
        Assert.Equal(From(2, 200), _rig.Ask());
        _rig.Announce(3);

        Assert.Equal([2, 3], _rig.AskAt(_rig.DueNs));
        Assert.Equal(2, _rig.Repeats);
    }

    [Fact]
    public void What_was_taken_back_and_is_told_of_again_is_asked_for_as_new()
    {
        _rig.Arrive(1);
        _rig.Announce(100);
        Assert.Equal(From(2, 100), _rig.Ask());
        _rig.Announce(3);
        _rig.NowNs += MsNs;
        _rig.Announce(100);

        Assert.Equal(From(4, 100), _rig.Ask());
        Assert.Equal(0, _rig.Repeats);
    }

    [Fact]
    public void What_the_sender_no_longer_has_is_not_asked_for()
    {
        _rig.Arrive(5, 10);
        Assert.Equal([1, 2, 3, 4, 6, 7, 8, 9], _rig.Ask());
        _rig.Skip(8);

        Assert.Equal([8, 9], _rig.AskAt(_rig.DueNs));
        _rig.Skip(11);
        Assert.True(_rig.IsWhole);
        Assert.Equal(long.MaxValue, _rig.DueNs);
    }

    [Fact]
    public void Blocks_that_come_round_again_know_nothing_of_what_stood_there_before()
    {
        _rig.Arrive(2);
        Assert.Equal([1], _rig.Ask());
        _rig.Arrive(1);
        // The memory of a block is used again after as many blocks as a request has words.
        ulong again = (ulong)NakFrame.WordsMax * 64;
        for (ulong sequence = 3; sequence <= again; sequence++)
        {
            _rig.Arrive(sequence);
        }

        _rig.NowNs += 1_000 * MsNs;
        _rig.SpreadNs = 300;
        _rig.Arrive(again + 2);
        Assert.Equal(_rig.NowNs + 300, _rig.DueNs);
        Assert.Equal([again + 1], _rig.AskAt(_rig.DueNs));
        Assert.Equal(0, _rig.Repeats);
    }

    private static ulong[] From(ulong first, ulong last) =>
        [.. Enumerable.Range((int)first, (int)(last - first + 1)).Select(i => (ulong)i)];
}
