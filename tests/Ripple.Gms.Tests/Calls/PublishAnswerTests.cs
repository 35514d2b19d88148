using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Tests.Calls;

/// <summary>What a publish is answered that came to be ordered: what it became, or why nothing became of it.</summary>
public sealed class PublishAnswerTests
{
    private readonly CallRig _host = new();
    private readonly ControlCaller _caller;

    public PublishAnswerTests() => _caller = _host.Connect(CallRig.Publisher);

    [Fact]
    public void A_publish_is_answered_with_the_release_it_became()
    {
        PublishResult first = _caller.Publish("a", "1", note: "first");
        ReleaseHeader header = Assert.Single(_host.Committed);
        Assert.Equal(new PublishResult(1, ErrorCode.None, "", 1, 1, header.Id), first);
        Assert.Equal(("node:node-1", "first", CallRig.Shop), (header.Actor, header.Note, header.Application));
        PublishResult second = _caller.Publish("a", "2", expected: 1);
        Assert.Equal(new PublishResult(2, ErrorCode.None, "", 1, 2, _host.Committed[1].Id), second);
        Assert.Equal(0L, _host.RefusedCount);
    }

    [Fact]
    public void A_publish_without_values_needs_no_parts()
    {
        Assert.Equal(1UL, _caller.Publish("a", "").Release);
        Assert.Equal(2UL, _caller.Publish("a", null).Release);
    }

    [Fact]
    public void A_wrong_expected_release_is_refused_with_the_newest()
    {
        PublishResult first = _caller.Publish("a", "1");
        PublishResult refused = _caller.Publish("a", "2", expected: 7);
        Refusals.Is(
            ErrorCode.WrongExpectedRelease, "The newest release of 'shop' is 1, not 7. Read it, and publish again on top of it.", refused);
        Assert.Equal((1u, 1UL, first.Id), (refused.Generation, refused.Release, refused.Id));
        Assert.Single(_host.Committed);
    }

    [Fact]
    public void A_publish_id_asked_again_is_answered_again_and_never_for_other_content()
    {
        Guid id = new(7, 0, 0, new byte[8]);
        PublishResult first = _caller.Publish("a", "1", id);
        Assert.Equal(first with { Call = 2 }, _caller.Publish("a", "1", id));
        Assert.Equal(first with { Call = 3 }, _caller.Publish("a", "1", id, expected: 0));
        PublishResult reused = _caller.Publish("a", "2", id);
        Refusals.Is(
            ErrorCode.PublishIdReused,
            "The publish id 00000007-0000-0000-0000-000000000000 was used before for other content. Use a new id for new content.",
            reused);
        Assert.Equal((1u, 1UL, first.Id), (reused.Generation, reused.Release, reused.Id));
        // The note is content too.
        Assert.Equal(ErrorCode.PublishIdReused, _caller.Publish("a", "1", id, note: "another").Code);
        Assert.Single(_host.Committed);
    }

    [Fact]
    public void A_publish_id_is_its_actors_own()
    {
        var id = Guid.NewGuid();
        Assert.Equal(1UL, _caller.Publish("a", "1", id).Release);
        Assert.Equal(2UL, _host.Connect(CallRig.Publisher).Publish("a", "2", id).Release);
    }

    [Fact]
    public void A_publish_id_asked_on_two_connections_at_once_is_released_once_and_both_are_answered()
    {
        var id = Guid.NewGuid();
        _host.Store.Hold();
        _caller.BeginPublish([("a", "1")], id: id);
        _caller.BeginPublish([("a", "1")], id: id);
        _host.Run();
        Assert.Empty(_caller.Take<PublishResult>());
        _host.Store.LetGo();
        _host.Run();
        Assert.Equal([(1u, 1UL), (2u, 1UL)], _caller.Take<PublishResult>().Select(a => (a.Call, a.Release)));
        Assert.Single(_host.Committed);
    }

    [Fact]
    public void What_would_change_nothing_is_refused()
    {
        const string Nothing = "The publish changes nothing: the newest release already has the state asked for.";
        Refusals.Is(ErrorCode.NothingChanged, Nothing, _caller.Publish("a", null));
        // Setting what is set already does change something: the release says who said it again, and when.
        PublishResult first = _caller.Publish("a", "1");
        PublishResult again = _caller.Publish("a", "1");
        Assert.Equal((1UL, 2UL), (first.Release, again.Release));
        PublishResult refused = _caller.Publish("b", null);
        Refusals.Is(ErrorCode.NothingChanged, Nothing, refused);
        Assert.Equal((1u, 2UL, again.Id), (refused.Generation, refused.Release, refused.Id));
    }

    [Fact]
    public void Only_so_many_publishes_wait_to_be_ordered()
    {
        _host.Store.Hold();
        // One is on its way to the disk; 4,096 wait behind it.
        for (int i = 0; i < 1 + 4_096; i++)
        {
            _caller.BeginPublish([("a", $"{i}")]);
            if (i % 64 == 63)
            {
                _host.Run(1_000_000);
            }
        }

        _host.Run();
        Assert.Empty(_caller.Take<PublishResult>());
        Refusals.Is(
            ErrorCode.Busy, "More than 4096 publishes to 'shop' wait. Try again with the same publish id.", _caller.Publish("a", "x"));
        // Another application has its own order.
        Assert.DoesNotContain("wait", Ask(_host.Connect(CallRig.Stranger)), StringComparison.Ordinal);
        _host.Store.LetGo();
        _host.Run(2_000_000_000);
        List<PublishResult> answers = _caller.Take<PublishResult>();
        Assert.Equal(1 + 4_096, answers.Count);
        Assert.All(answers, a => Assert.Equal(ErrorCode.None, a.Code));

        string Ask(ControlCaller stranger)
        {
            stranger.BeginPublish([("a", "1")], application: "other");
            _host.Run();
            return string.Concat(stranger.Take<PublishResult>().Select(a => a.Text));
        }
    }

    [Fact]
    public void A_publish_that_no_region_could_take_soon_is_refused_as_busy()
    {
        var host = new CallRig(recentBytesMax: 200_000);
        ControlCaller publisher = host.Connect(CallRig.Publisher);
        // It says nothing of what it received, so that its window fills.
        ControlCaller node = host.Join("deaf");
        PublishResult? refused = null;
        for (int i = 0; i < 400 && refused is null; i++)
        {
            publisher.BeginPublish([("a", $"{i} " + new string('x', 60_000))]);
            host.Run(3_000_000);
            refused = publisher.Take<PublishResult>().SingleOrDefault(a => a.Code != ErrorCode.None);
        }

        Assert.NotNull(refused);
        Refusals.Is(
            ErrorCode.Busy,
            "All who take 'shop' are far behind what was released, and more would not reach them sooner. "
            + "Try again in a second with the same publish id.",
            refused);
        node.Break();
        Assert.Equal(ErrorCode.None, publisher.Publish("a", "1").Code);
    }

    [Fact]
    public void A_store_that_failed_releases_nothing_until_the_host_starts_again()
    {
        var id = Guid.NewGuid();
        PublishResult before = _caller.Publish("a", "1", id);
        _host.Store.Break("the disk is full");
        PublishResult failed = _caller.Publish("a", "2");
        Refusals.Is(ErrorCode.StoreFailed, "Nothing was released: the disk is full", failed);
        Assert.Equal((1u, 1UL, before.Id), (failed.Generation, failed.Release, failed.Id));
        Refusals.Is(
            ErrorCode.StoreFailed,
            "The host's store failed; nothing is released until the host is started again. Its log says what the disk reported.",
            _caller.Publish("a", "3"));
        // What is known needs no disk.
        Assert.Equal(before with { Call = 4 }, _caller.Publish("a", "1", id));
        Assert.Single(_host.Committed);
        Assert.Equal(0L, _host.UploadBytes);
    }

    [Fact]
    public void A_publish_id_is_known_after_a_restart_of_the_host()
    {
        var id = Guid.NewGuid();
        PublishResult before = _caller.Publish("a", "1", id);
        _host.Restart();
        ControlCaller again = _host.Connect(CallRig.Publisher, node: 1);
        Assert.Equal(before, again.Publish("a", "1", id));
        Assert.Equal(ErrorCode.PublishIdReused, again.Publish("a", "2", id).Code);
        Assert.Empty(_host.Committed);
    }
}
