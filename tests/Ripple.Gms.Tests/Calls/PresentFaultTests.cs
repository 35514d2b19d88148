using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Calls;

/// <summary>
/// What the control door does now and should not do. Each says what it should do instead; who mends one turns its test round. Kept apart so that nobody takes these for
/// promises.
/// </summary>
public sealed class PresentFaultTests
{
    private readonly CallRig _host = new();
    private readonly ControlCaller _caller;

    public PresentFaultTests() => _caller = _host.Connect(CallRig.Publisher);

    [Fact]
    public void A_publish_of_a_token_that_was_revoked_while_it_was_prepared_is_released()
    {
        // Should be refused, as one whose role was taken away is: what is asked again is the role, not whether the token is still good.
        _host.HoldsPreparations = true;
        _caller.BeginPublish([("a", "1")]);
        _host.Run();
        _host.Change(AccessTokenChange.Revoke(CallRig.Publisher, 5, "test"));
        Assert.NotNull(_caller.ClosedBecause);
        _host.Prepare();
        _host.Run();
        Assert.Single(_host.Committed);
    }

    [Fact]
    public void A_part_too_many_while_a_publish_is_prepared_is_refused_though_the_publish_is_released()
    {
        // Should be one answer. The bytes are also given back twice, so that the bound over all connections grows: should be 0.
        _host.HoldsPreparations = true;
        uint call = _caller.BeginPublish([("a", "12345")]);
        _caller.Send(new PublishPart(call, "6"u8.ToArray()));
        Assert.Equal(ErrorCode.InvalidRequest, _caller.Answer<PublishResult>().Code);
        _host.Prepare();
        PublishResult done = _caller.Answer<PublishResult>();
        Assert.Equal((call, ErrorCode.None), (done.Call, done.Code));
        Assert.Equal(-5L, _host.UploadBytes);
    }

    [Fact]
    public void An_empty_part_while_a_publish_is_prepared_has_it_prepared_and_answered_twice()
    {
        // Should be dropped, or refused. The bytes are given back twice here too.
        _host.HoldsPreparations = true;
        uint call = _caller.BeginPublish([("a", "12345")]);
        _caller.Send(new PublishPart(call, ReadOnlyMemory<byte>.Empty));
        _host.Run();
        _host.Prepare();
        _host.Run();
        Assert.Equal([(call, 1UL), (call, 1UL)], _caller.Take<PublishResult>().Select(a => (a.Call, a.Release)));
        Assert.Single(_host.Committed);
        Assert.Equal(-5L, _host.UploadBytes);
    }

    [Fact]
    public void A_publish_of_one_empty_key_ends_the_connection()
    {
        // Should be refused as invalid, as an empty key beside others is: a key is counted as eight bytes at least, and this one has seven.
        _caller.BeginPublish([("", "1"), ("aa", "1")]);
        Refusals.Is(ErrorCode.InvalidRequest, "The key is empty. Give 1 to 512 bytes of UTF-8 without control characters.", _caller.Answer<PublishResult>());
        _caller.BeginPublish([("", "1")], withParts: false);
        _host.Run();
        Assert.Empty(_caller.Take<PublishResult>());
        Assert.Equal("The other side ended the link: it sent a control frame that is malformed or not known", _caller.ClosedBecause);
    }

    [Fact]
    public void A_read_of_a_past_release_from_a_store_that_failed_says_that_the_key_is_not_there()
    {
        // Should say that the store failed: who asks takes a missing key for an answer.
        _caller.Publish("a", "1");
        _caller.Publish("a", "2");
        _host.Store.AnswerNextRead(StoreStatus.Busy, "it is locked");
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'a' at release 1.", Read());
        _host.Store.Break("the disk is gone");
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'a' at release 1.", Read());

        ReadKeyResult Read()
        {
            _caller.Send(new ReadKey(_caller.NextCall(), CallRig.Shop, 1, "a"));
            return _caller.Answer<ReadKeyResult>();
        }
    }

    [Fact]
    public void A_rollback_to_release_zero_is_one_to_the_newest()
    {
        // Should be refused: there is no release 0. To the store 0 means the newest.
        _caller.Publish("a", "1");
        Assert.Equal(ErrorCode.NothingChanged, _caller.Rollback(0).Code);
    }

    [Fact]
    public void A_rollback_from_a_store_that_failed_says_that_the_release_is_not_there()
    {
        // Should say that the store failed, and that it is busy where it was locked.
        _caller.Publish("a", "1");
        _caller.Publish("a", "2");
        _host.Store.AnswerNextRead(StoreStatus.Busy, "it is locked");
        Refusals.Is(ErrorCode.NotFound, "'shop' has no release 1 to go back to. Look at its history. it is locked", _caller.Rollback(1));
        _host.Store.Break("the disk is gone");
        Refusals.Is(ErrorCode.NotFound, "'shop' has no release 1 to go back to. Look at its history. the disk is gone", _caller.Rollback(1));
    }

    [Fact]
    public void A_history_from_a_store_that_was_locked_says_that_the_store_failed()
    {
        // Should be busy: asked again, it is there.
        _host.Store.AnswerNextRead(StoreStatus.Busy, "it is locked");
        _caller.Send(new History(1, CallRig.Shop, ulong.MaxValue, 1));
        Refusals.Is(ErrorCode.StoreFailed, "it is locked", _caller.Answer<HistoryResult>());
    }

    [Fact]
    public void An_application_that_a_locked_store_did_not_make_is_said_to_be_a_failure_of_the_store()
    {
        // Should be busy, as a publish then is.
        ControlCaller admin = _host.Connect(CallRig.Admin);
        _host.Store.AnswerNextCommit(StoreStatus.Busy, "it is locked");
        admin.Send(new CreateApplication(1, "new"));
        Refusals.Is(ErrorCode.StoreFailed, "The application was not created: it is locked", admin.Answer<CallResult>());
    }

    [Fact]
    public void A_publish_that_breaks_a_rule_of_the_store_is_told_to_try_again()
    {
        // A refusal stays one, however often it is asked: should not be busy.
        _host.Store.AnswerNextCommit(StoreStatus.Refused, "a rule forbids it");
        Refusals.Is(ErrorCode.Busy, "Nothing was released: a rule forbids it", _caller.Publish("a", "1"));
    }

    [Fact]
    public void The_number_of_a_wait_under_way_is_refused_with_the_words_for_too_many_waits()
    {
        // Should say what is wrong: that the number is in use.
        _host.Join("web-1");
        _caller.Publish("a", "1");
        _caller.Send(new Wait(5, CallRig.Shop, 0, 1, "MIN($ALL.applied)", 0, false));
        _caller.Send(new Wait(5, CallRig.Shop, 0, 1, "MIN($ALL.applied)", 0, false));
        Refusals.Is(ErrorCode.Busy, "More than 256 waits are under way on this connection. End some first.", _caller.Answer<WaitResult>());
        Assert.Equal(1, _host.WaitCount);
    }

    [Fact]
    public void Too_many_waits_over_an_application_are_told_as_a_predicate_that_is_not_one()
    {
        // Should be busy. 16 connections of 256 waits are all there may be.
        _host.Join("web-1");
        _caller.Publish("a", "1");
        for (int connection = 0; connection < 16; connection++)
        {
            ControlCaller caller = _host.Connect(CallRig.Node);
            for (uint call = 0; call < 256; call++)
            {
                caller.Send(new Wait(call, CallRig.Shop, 0, 1, "MIN($ALL.applied)", 0, false));
            }
        }

        _host.Run();
        Assert.Equal(4_096, _host.WaitCount);
        _caller.Send(new Wait(5, CallRig.Shop, 0, 1, "MIN($ALL.applied)", 0, false));
        Refusals.Is(ErrorCode.InvalidPredicate, "The wait cannot begin. At 0: 4096 waits on shop are pending; try again when some have ended.", _caller.Answer<WaitResult>());
    }
}
