using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Tests.Sessions;

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
        Assert.Equal(
            ("token:publisher node:00000000000000010000000000000001", "first", CallRig.Shop),
            (header.Actor, header.Note, header.Application));
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
    public void A_publish_id_is_its_tokens_own_whichever_node_asks()
    {
        var id = Guid.NewGuid();
        PublishResult first = _caller.Publish("a", "1", id);
        Assert.Equal(first, _host.Connect(CallRig.Publisher).Publish("a", "1", id));
        Assert.Equal(ErrorCode.PublishIdReused, _host.Connect(CallRig.Publisher).Publish("a", "2", id).Code);
        Assert.Equal(2UL, _host.Connect(CallRig.Admin).Publish("a", "2", id).Release);
    }

    [Theory]
    [InlineData("bomb")]
    [InlineData("bomb.json")]
    public void A_value_that_would_fill_every_reader_is_refused_whatever_its_key_is_called(string key)
    {
        string bomb = $$"""{"{{new string('n', 20_000)}}":[{{string.Join(',', Enumerable.Repeat('1', 20_000))}}]}""";
        PublishResult refused = _caller.Publish(key, bomb);
        Assert.Equal(ErrorCode.InvalidJson, refused.Code);
        Assert.Contains("Shorten the names of its sections.", refused.Text, StringComparison.Ordinal);
        Assert.Equal(1UL, _caller.Publish(key, """{"a":1}""").Release);
    }

    [Fact]
    public void What_cannot_be_seen_is_in_no_new_key_and_no_note()
    {
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The key has a character that is not shown (U+202E) at position 2. Remove it.",
            _caller.Publish("x\u202Egnp.exe", "1"));
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The note has a character that is not shown (U+200B) at position 3. Remove it.",
            _caller.Publish("a", "1", note: "ok\u200B"));
        Assert.Empty(_host.Committed);
        // A family and a line are shown; and what was there before the rule can be removed.
        Assert.Equal(1UL, _caller.Publish("a", "1", note: "👩\u200D👩\nsecond line").Release);
        Assert.Equal(ErrorCode.NothingChanged, _caller.Publish("x\u202Egnp.exe", null).Code);
    }

    [Fact]
    public void An_actor_is_what_the_token_proves_not_what_a_node_calls_itself()
    {
        foreach (string token in (string[])[CallRig.Publisher, CallRig.Admin])
        {
            _host.Connect(token, node: 7, name: "the-admin", role: "admin").Publish("a", token);
        }

        Assert.Equal(
            ["token:publisher node:00000000000000010000000000000007", "token:admin node:00000000000000010000000000000007"],
            _host.Committed.Select(h => h.Actor));
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
        var host = new CallRig(CallRig.ManyFrames);
        ControlCaller caller = host.Connect(CallRig.Publisher);
        host.Store.Hold();
        // One is on its way to the disk; 4,096 wait behind it.
        for (int i = 0; i < 1 + 4_096; i++)
        {
            caller.BeginPublish([("a", $"{i}")]);
            if (i % 64 == 63)
            {
                host.Run(1_000_000);
            }
        }

        host.Run();
        Assert.Empty(caller.Take<PublishResult>());
        Refusals.Is(
            ErrorCode.Busy, "More than 4096 publishes to 'shop' wait. Try again with the same publish id.", caller.Publish("a", "x"));
        // Another application has its own order.
        Assert.DoesNotContain("wait", Ask(host.Connect(CallRig.Stranger)), StringComparison.Ordinal);
        host.Store.LetGo();
        host.Run(2_000_000_000);
        List<PublishResult> answers = caller.Take<PublishResult>();
        Assert.Equal(1 + 4_096, answers.Count);
        Assert.All(answers, a => Assert.Equal(ErrorCode.None, a.Code));

        string Ask(ControlCaller stranger)
        {
            stranger.BeginPublish([("a", "1")], application: "other");
            host.Run();
            return string.Concat(stranger.Take<PublishResult>().Select(a => a.Text));
        }
    }

    [Fact]
    public void A_publish_that_no_region_could_take_soon_is_refused_as_busy()
    {
        var rig = new HostRig(new GmsOptions { RecentBytesMax = 200_000 });
        NodeRig publisher = rig.Connect(9, tokenId: HostRig.PublishersToken);
        // It is reached, and says nothing of what it received, so that its window fills.
        NodeRig node = rig.Join(1);
        PublishResult? refused = null;
        for (uint i = 1; i < 400 && refused is null; i++)
        {
            SendPublish(rig, publisher, i, 60_000);
            refused = publisher.All<PublishResult>().SingleOrDefault(a => a.Code != ErrorCode.None);
        }

        Assert.NotNull(refused);
        Refusals.Is(
            ErrorCode.Busy,
            "All who take 'shop' are far behind what was released, and more would not reach them sooner. "
            + "Try again in a second with the same publish id.",
            refused);
        node.Break("it ends");
        rig.Run(5 * HostRig.MillisecondNs);
        publisher.Forget();
        SendPublish(rig, publisher, 1_000, 1);
        Assert.Equal(ErrorCode.None, publisher.Only<PublishResult>().Code);
    }

    [Fact]
    public void A_store_that_failed_releases_nothing_until_its_disk_works()
    {
        var id = Guid.NewGuid();
        PublishResult before = _caller.Publish("a", "1", id);
        _host.Store.Break("the disk is full");
        PublishResult failed = _caller.Publish("a", "2");
        Refusals.Is(ErrorCode.StoreFailed, "Whether it was released is not known: the disk is full"
                + " Ask again with the same publish id when the host's store works again.", failed);
        Assert.Equal((1u, 1UL, before.Id), (failed.Generation, failed.Release, failed.Id));
        Refusals.Is(
            ErrorCode.StoreFailed,
            "The host's store failed; nothing is released until it works again. The host's log says what was reported.",
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

    private static void SendPublish(HostRig rig, NodeRig publisher, uint call, int length)
    {
        byte[] value = new byte[length];
        value[0] = (byte)call;
        value[^1] = (byte)(call >> 8);
        var id = new Guid((int)call, 0, 0, new byte[8]);
        var key = new PublishKey("a", IsRemove: false, (uint)length);
        publisher.Send(new PublishBegin(call, HostRig.Shop, id, PublishBegin.AnyRelease, "", "", [key]));
        publisher.Send(new PublishPart(call, value));
        rig.Run(3 * HostRig.MillisecondNs);
    }
}
