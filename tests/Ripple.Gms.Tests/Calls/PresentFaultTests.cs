using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Calls;

/// <summary>
/// What the control door does now and should not do. Each says what it should do instead; who mends one turns its test round. Kept apart so
/// that
/// nobody takes these for promises.
/// </summary>
public sealed class PresentFaultTests
{
    private readonly CallRig _host = new();
    private readonly ControlCaller _caller;

    public PresentFaultTests() => _caller = _host.Connect(CallRig.Publisher);

    [Fact]
    public void A_publish_of_one_empty_key_ends_the_connection()
    {
        // Should be refused as invalid, as an empty key beside others is: a key is counted as eight bytes at least, and this one has seven.
        _caller.BeginPublish([("", "1"), ("aa", "1")]);
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The key is empty. Give 1 to 512 bytes of UTF-8 without control characters.",
            _caller.Answer<PublishResult>());
        _caller.BeginPublish([("", "1")], withParts: false);
        _host.Run();
        Assert.Empty(_caller.Take<PublishResult>());
        // HTTP says for this key what is said above for the two.
        Assert.Equal("The other side ended the link: it sent a control frame that is malformed or not known", _caller.ClosedBecause);
    }

    [Fact]
    public void A_commit_that_failed_is_told_in_the_words_of_the_store()
    {
        // Should be told as a read that failed is: the store's words may name files and disks of the host. The same at HTTP.
        ControlCaller admin = _host.Connect(CallRig.Admin);
        _host.Store.Break("/data/store.db: the disk is gone");
        Refusals.Is(ErrorCode.StoreFailed, "Whether it was released is not known: /data/store.db: the disk is gone"
                + " Ask again with the same publish id when the host's store works again.", _caller.Publish("a", "1"));
        admin.Send(new CreateApplication(1, "new"));
        Refusals.Is(ErrorCode.StoreFailed, "The application was not created: /data/store.db: the disk is gone", admin.Answer<CallResult>());
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
}
