using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Calls;

/// <summary>The history at the control door: how much of it one answer has.</summary>
public sealed class HistoryCallTests
{
    private readonly CallRig _host = new();
    private readonly ControlCaller _caller;

    public HistoryCallTests() => _caller = _host.Connect(CallRig.Publisher);

    [Fact]
    public void Releases_come_newest_first_with_what_was_said_of_them()
    {
        _caller.Publish("a", "1", note: "first");
        PublishResult second = _caller.Publish("b", "1", note: "second");
        HistoryResult answer = History(ulong.MaxValue, 10);
        Assert.Equal((ErrorCode.None, ""), (answer.Code, answer.Text));
        Assert.Equal([2UL, 1UL], answer.Entries.Select(e => e.Release));
        HistoryEntry newest = answer.Entries[0];
        Assert.Equal(
            (1u, second.Id, "token:publisher node:00000000000000010000000000000001", "second", (ushort)1, "b"),
            (newest.Generation, newest.Id, newest.Actor, newest.Note, newest.KeyCount, newest.Keys));
        Assert.Equal(_host.Committed[1].TimeUnixMicros, newest.TimeUnixMicros);
        Assert.Equal([1UL], History(2, 10).Entries.Select(e => e.Release));
        Assert.Empty(History(1, 10).Entries);
    }

    [Fact]
    public void One_answer_has_one_to_two_hundred_releases_whatever_was_asked_for()
    {
        for (int i = 0; i < 203; i++)
        {
            _caller.BeginPublish([("a", $"{i}")]);
            if (i % 100 == 99)
            {
                _host.Run(10_000_000);
            }
        }

        _host.Run();
        Assert.Equal(203, _host.Committed.Count);
        Assert.Equal([203UL], History(ulong.MaxValue, 0).Entries.Select(e => e.Release));
        Assert.Equal([203UL], History(ulong.MaxValue, 1).Entries.Select(e => e.Release));
        Assert.Equal(200, History(ulong.MaxValue, 200).Entries.Count);
        Assert.Equal(200, History(ulong.MaxValue, 201).Entries.Count);
        HistoryResult most = History(ulong.MaxValue, ushort.MaxValue);
        Assert.Equal((200, 4UL), (most.Entries.Count, most.Entries[^1].Release));
        Assert.Equal([3UL, 2UL, 1UL], History(4, 200).Entries.Select(e => e.Release));
    }

    [Fact]
    public void An_answer_that_would_not_fit_a_frame_ends_early_and_the_next_page_has_the_rest()
    {
        string note = new('n', 2_000);
        for (int i = 0; i < 25; i++)
        {
            _caller.Publish("a", $"{i}", note: note);
        }

        // A release is counted as 128 + 3 x 2,000 + 3 bytes, and none begins after 122,880: the 21st is the last that does.
        HistoryResult first = History(ulong.MaxValue, 200);
        Assert.Equal((21, 5UL), (first.Entries.Count, first.Entries[^1].Release));
        Assert.Equal([4UL, 3UL, 2UL, 1UL], History(first.Entries[^1].Release, 200).Entries.Select(e => e.Release));
    }

    [Fact]
    public void The_first_keys_of_a_release_are_named_and_all_are_counted()
    {
        _caller.BeginPublish([.. Enumerable.Range(0, 100).Select(i => ($"key-{i:D6}", (string?)"1"))]);
        Assert.Equal(ErrorCode.None, _caller.Answer<PublishResult>().Code);
        _caller.BeginPublish([(new string('k', 301), "1"), (new string('l', 301), "1")]);
        Assert.Equal(ErrorCode.None, _caller.Answer<PublishResult>().Code);
        _caller.Publish(new string('m', 301), "1");
        IReadOnlyList<HistoryEntry> entries = History(ulong.MaxValue, 3).Entries;
        // Whole names, at most 300 characters of them: 27 of ten and their ends of line.
        Assert.Equal(
            ((ushort)100, string.Join('\n', Enumerable.Range(0, 27).Select(i => $"key-{i:D6}"))), (entries[2].KeyCount, entries[2].Keys));
        Assert.Equal(((ushort)2, ""), (entries[1].KeyCount, entries[1].Keys));
        Assert.Equal(((ushort)1, ""), (entries[0].KeyCount, entries[0].Keys));
    }

    [Fact]
    public void Who_has_no_role_in_an_application_reads_no_history_of_it()
    {
        ControlCaller stranger = _host.Connect(CallRig.Stranger);
        stranger.Send(new History(1, CallRig.Shop, ulong.MaxValue, 1));
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token stranger does not allow this: it takes the role node in 'shop'. Ask an administrator to set it.",
            stranger.Answer<HistoryResult>());
        ControlCaller admin = _host.Connect(CallRig.Admin);
        admin.Send(new History(1, "nowhere", ulong.MaxValue, 1));
        Refusals.Is(
            ErrorCode.UnknownApplication,
            "There is no application 'nowhere'. Create it first, or look for a typing error.",
            admin.Answer<HistoryResult>());
        ControlCaller node = _host.Connect(CallRig.Node);
        node.Send(new History(1, CallRig.Shop, ulong.MaxValue, 1));
        Assert.Equal(ErrorCode.None, node.Answer<HistoryResult>().Code);
    }

    [Fact]
    public void A_store_that_is_full_or_locked_is_busy_and_one_that_failed_is_said_without_its_words()
    {
        _host.Store.TakeNotNextRead();
        Refusals.Is(ErrorCode.Busy, Refusals.StoreBusy, History(ulong.MaxValue, 1));
        _host.Store.AnswerNextRead(StoreStatus.Busy, "it is locked");
        Refusals.Is(ErrorCode.Busy, Refusals.StoreBusy, History(ulong.MaxValue, 1));
        Assert.Equal(ErrorCode.None, History(ulong.MaxValue, 1).Code);
        _host.Store.BreakReads("the disk is gone");
        Refusals.Is(ErrorCode.StoreFailed, Refusals.StoreFailed, History(ulong.MaxValue, 1));
    }

    private HistoryResult History(ulong before, ushort count)
    {
        _caller.Send(new History(_caller.NextCall(), CallRig.Shop, before, count));
        return _caller.Answer<HistoryResult>();
    }
}
