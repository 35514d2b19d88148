using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Tests.Calls;

/// <summary>
/// Publishes that are refused before they have a place in the order: by who asks, by what is announced, by what they hold.
/// </summary>
public sealed class RefusalTests
{
    private const string TooMany = "Too many publishes are under way. Try again with the same publish id.";
    private readonly CallRig _host = new();

    [Fact]
    public void A_publish_and_a_rollback_without_an_id_are_refused()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        const string Text = "The publish id is zero. Make one for each change, and send it again when you ask again.";
        Refusals.Is(ErrorCode.InvalidRequest, Text, caller.Publish("a", "1", Guid.Empty));
        Assert.Equal(0, _host.UploadBytes);
        Assert.Equal(ErrorCode.None, caller.Publish("a", "1").Code);
        Assert.Equal(ErrorCode.None, caller.Publish("a", "2").Code);
        Refusals.Is(ErrorCode.InvalidRequest, Text, caller.Rollback(1, Guid.Empty));
        Assert.Equal(2, _host.Committed.Count);
    }

    [Fact]
    public void A_token_without_the_role_publishes_nothing()
    {
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token node does not allow this: it takes the role publisher in 'shop'. Ask an administrator to set it.",
            _host.Connect(CallRig.Node).Publish("a", "1"));
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token stranger does not allow this: it takes the role publisher in 'shop'. Ask an administrator to set it.",
            _host.Connect(CallRig.Stranger).Publish("a", "1"));
        Assert.Empty(_host.Committed);
        Assert.Equal((0L, 2L), (_host.UploadBytes, _host.RefusedCount));
    }

    [Fact]
    public void Whether_there_is_an_application_is_told_only_to_who_may_publish_to_it()
    {
        Refusals.Is(
            ErrorCode.UnknownApplication,
            "There is no application 'nowhere'. Create it first, or look for a typing error.",
            _host.Connect(CallRig.Admin).Publish("a", "1", application: "nowhere"));
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token publisher does not allow this: it takes the role publisher in 'nowhere'. Ask an administrator to set it.",
            _host.Connect(CallRig.Publisher).Publish("a", "1", application: "nowhere"));
    }

    [Fact]
    public void A_publish_that_announces_too_much_is_refused_before_a_byte_of_it_came()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        Begin(caller, ("a", ReleaseLimits.PublishBytesMax), ("b", 1));
        Refusals.Is(
            ErrorCode.TooLarge,
            "The values have 16777217 bytes together; a publish has at most 16777216. Publish in parts.",
            caller.Answer<PublishResult>());
        Begin(caller, ("a", uint.MaxValue), ("b", uint.MaxValue), ("c", uint.MaxValue));
        Refusals.Is(
            ErrorCode.TooLarge,
            "The values have 12884901885 bytes together; a publish has at most 16777216. Publish in parts.",
            caller.Answer<PublishResult>());
        Assert.Equal(0L, _host.UploadBytes);
        Assert.Null(caller.ClosedBecause);
    }

    [Fact]
    public void The_length_of_what_is_removed_does_not_count()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        caller.Publish("a", "1");
        PublishKey[] keys = [new PublishKey("a", true, uint.MaxValue)];
        caller.Send(new PublishBegin(caller.NextCall(), CallRig.Shop, Guid.NewGuid(), PublishBegin.AnyRelease, "", "", keys));
        PublishResult done = caller.Answer<PublishResult>();
        Assert.Equal((ErrorCode.None, 2UL), (done.Code, done.Release));
    }

    [Fact]
    public void So_many_publishes_come_at_once_on_one_connection_and_no_more()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        uint first = 0;
        for (int i = 0; i < 128; i++)
        {
            uint call = caller.BeginPublish([("a", "1")], withParts: false);
            first = i == 0 ? call : first;
        }

        _host.Run();
        Assert.Empty(caller.Take<PublishResult>());
        Refusals.Is(ErrorCode.Busy, TooMany, caller.Publish("b", "1"));
        // Another connection has its own count; and one that ends makes room.
        Assert.Equal(ErrorCode.None, _host.Connect(CallRig.Publisher).Publish("c", "1").Code);
        caller.Send(new PublishPart(first, "1"u8.ToArray()));
        PublishResult done = caller.Answer<PublishResult>();
        Assert.Equal((first, ErrorCode.None), (done.Call, done.Code));
        Assert.Equal(ErrorCode.None, caller.Publish("b", "1").Code);
    }

    [Fact]
    public void The_names_and_notes_of_publishes_that_come_are_bounded_on_a_connection()
    {
        // 30 keys of 4,000 bytes: 120,722 bytes each, of 2,097,152.
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        for (int i = 0; i < 17; i++)
        {
            BeginLong(caller);
        }

        Assert.Empty(caller.Take<PublishResult>());
        Assert.Equal(17 * (120_722 + 30), _host.UploadBytes);
        BeginLong(caller);
        Refusals.Is(ErrorCode.Busy, TooMany, Assert.Single(caller.Take<PublishResult>()));
        caller.Break();
        Assert.Equal(0L, _host.UploadBytes);

        void BeginLong(ControlCaller from)
        {
            Begin(from, [.. Enumerable.Range(0, 30).Select(k => (new string((char)('a' + (k % 26)), 3_999) + (k / 26), 1u))]);
            _host.Run();
        }
    }

    [Fact]
    public void The_bytes_of_publishes_under_way_are_bounded_over_all_connections()
    {
        // A key of one byte takes 520 beside its value.
        var host = new CallRig(new GmsOptions { UploadBytesMax = 10_000 });
        ControlCaller first = host.Connect(CallRig.Publisher);
        ControlCaller second = host.Connect(CallRig.Publisher);
        Begin(first, ("a", 9_000));
        host.Run();
        Assert.Equal(9_520L, host.UploadBytes);
        Refusals.Is(ErrorCode.Busy, TooMany, second.Publish("b", "1"));
        Refusals.Is(ErrorCode.Busy, TooMany, first.Publish("b", "1"));
        first.Break();
        Assert.Equal(0L, host.UploadBytes);
        Begin(second, ("a", 10_000 - 520 + 1));
        Refusals.Is(ErrorCode.Busy, TooMany, second.Answer<PublishResult>());
        Assert.Equal(ErrorCode.None, second.Publish("b", new string('x', 10_000 - 520)).Code);
        Assert.Equal(0L, host.UploadBytes);
    }

    [Fact]
    public void What_waits_for_the_disk_counts_until_it_is_there()
    {
        var host = new CallRig(new GmsOptions { UploadBytesMax = 10_000 });
        ControlCaller caller = host.Connect(CallRig.Publisher);
        host.Store.Hold();
        caller.BeginPublish([("a", new string('x', 9_000))]);
        host.Run();
        Assert.Equal(9_000L, host.UploadBytes);
        Refusals.Is(ErrorCode.Busy, TooMany, caller.Publish("b", new string('x', 1_000)));
        host.Store.LetGo();
        Assert.Equal(ErrorCode.None, caller.Answer<PublishResult>().Code);
        Assert.Equal(0L, host.UploadBytes);
    }

    [Fact]
    public void More_bytes_than_were_announced_end_the_publish_and_what_still_comes_of_it_is_dropped()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        Begin(caller, ("a", 3));
        uint call = 1;
        caller.Send(new PublishPart(call, "12"u8.ToArray()));
        caller.Send(new PublishPart(call, "34"u8.ToArray()));
        caller.Send(new PublishPart(call, "5"u8.ToArray()));
        caller.NextCall();
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "More bytes came than the publish announced. This is a fault of the client library.",
            caller.Answer<PublishResult>());
        Assert.Equal(0L, _host.UploadBytes);
        Assert.Null(caller.ClosedBecause);
        Assert.Equal(1UL, caller.Publish("a", "1").Release);
    }

    [Fact]
    public void The_number_of_a_call_under_way_is_not_taken_again_and_the_first_goes_on()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        uint call = caller.BeginPublish([("a", "1")], withParts: false);
        caller.BeginPublish([("a", "2")], withParts: false, call: call);
        Refusals.Is(ErrorCode.Busy, TooMany, caller.Answer<PublishResult>());
        caller.Send(new PublishPart(call, "1"u8.ToArray()));
        PublishResult done = caller.Answer<PublishResult>();
        Assert.Equal((call, ErrorCode.None, 1UL), (done.Call, done.Code, done.Release));
        // And is free when the call has ended.
        caller.BeginPublish([("a", "2")], call: call);
        Assert.Equal(2UL, caller.Answer<PublishResult>().Release);
    }

    [Fact]
    public void A_publish_that_nobody_can_check_now_is_refused_as_busy()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        _host.IsPreparerFull = true;
        Refusals.Is(
            ErrorCode.Busy,
            "The host checks as many publishes as it may at one time. Try again with the same publish id.",
            caller.Publish("a", "1"));
        Assert.Equal(0L, _host.UploadBytes);
        _host.IsPreparerFull = false;
        // Its number is free again.
        caller.BeginPublish([("a", "1")], call: 1);
        Assert.Equal(ErrorCode.None, caller.Answer<PublishResult>().Code);
    }

    [Fact]
    public void What_is_wrong_with_the_content_is_said()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        Refused("A publish has 1 to 1000 keys; this one has 0. Publish in parts.");
        Refused("The key has a control character (U+000A) at position 2. Remove it.", ("a\nb", "1"));
        Refused("The key has 513 bytes of UTF-8, 512 are allowed. Shorten it.", (new string('k', 513), "1"));
        Refused("The key 'a' is in the publish twice. Give each key once.", ("a", "1"), ("a", null));
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The note is longer than 2048 bytes. Shorten it.",
            caller.Publish("a", "1", note: new string('n', 2_049)));
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The note has a control character (U+0007) at position 1. Remove it.",
            caller.Publish("a", "1", note: "\a"));
        PublishResult json = caller.Publish("a.json", "{ \"a\": }");
        Assert.Equal(ErrorCode.InvalidJson, json.Code);
        Assert.StartsWith(
            "The value of 'a.json' is not what .NET's JSON configuration provider accepts: ", json.Text, StringComparison.Ordinal);
        Assert.Equal(0L, _host.UploadBytes);
        Assert.Empty(_host.Committed);

        void Refused(string text, params (string Key, string? Value)[] changes)
        {
            caller.BeginPublish(changes);
            Refusals.Is(ErrorCode.InvalidRequest, text, caller.Answer<PublishResult>());
        }
    }

    [Fact]
    public void A_publish_whose_values_did_not_all_come_ends_with_its_connection()
    {
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        Begin(caller, ("a", 1_000));
        caller.Send(new PublishPart(1, new byte[999]));
        _host.Run();
        Assert.Equal(1_520L, _host.UploadBytes);
        caller.Break();
        Assert.Equal(0L, _host.UploadBytes);
        Assert.Empty(_host.Committed);
    }

    private static void Begin(ControlCaller caller, params (string Key, uint Length)[] keys) =>
        caller.Send(new PublishBegin(
            caller.NextCall(),
            CallRig.Shop,
            Guid.NewGuid(),
            PublishBegin.AnyRelease,
            "",
            "",
            [.. keys.Select(k => new PublishKey(k.Key, false, k.Length))]));
}
