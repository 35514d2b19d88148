using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Gms.Tests.Calls;

/// <summary>Rollbacks at the control door.</summary>
public sealed class RollbackCallTests
{
    private readonly CallRig _host = new();
    private readonly ControlCaller _caller;

    public RollbackCallTests()
    {
        _caller = _host.Connect(CallRig.Publisher);
        _caller.Publish("a", "1");
        _caller.Publish("a", "2");
    }

    [Fact]
    public void The_state_of_a_past_release_is_the_newest_again()
    {
        var id = Guid.NewGuid();
        PublishResult done = _caller.Rollback(1, id, expected: 2, note: "bad");
        Assert.Equal((ErrorCode.None, "", 1u, 3UL), (done.Code, done.Text, done.Generation, done.Release));
        Assert.Equal(("bad", "token:publisher node:00000000000000010000000000000001"), (_host.Committed[2].Note, _host.Committed[2].Actor));
        Assert.Equal(_host.Committed[0].StateRoot, _host.Committed[2].StateRoot);
        Assert.Equal(done with { Call = 4 }, _caller.Rollback(1, id, expected: 2, note: "bad"));
        Refusals.Is(
            ErrorCode.PublishIdReused,
            $"The publish id {id} was used before for other content. Use a new id for new content.",
            _caller.Rollback(2, id));
        Assert.Equal(3, _host.Committed.Count);
    }

    [Fact]
    public void A_token_without_the_role_rolls_nothing_back()
    {
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token node does not allow this: it takes the role publisher in 'shop'. Ask an administrator to set it.",
            _host.Connect(CallRig.Node).Rollback(1));
        Refusals.Is(
            ErrorCode.UnknownApplication,
            "There is no application 'nowhere'. Create it first, or look for a typing error.",
            _host.Connect(CallRig.Admin).Rollback(1, application: "nowhere"));
        Assert.Equal(2L, _host.RefusedCount);
    }

    [Fact]
    public void A_release_that_was_never_there_is_not_gone_back_to()
    {
        Refusals.Is(ErrorCode.NotFound, "'shop' has no release 9; the newest is 2.", _caller.Rollback(9));
        // The state before the first release was never released.
        Refusals.Is(ErrorCode.NotFound, "'shop' has no release 0; the newest is 2.", _caller.Rollback(0));
        Assert.Equal((2, 2L), (_host.Committed.Count, _host.RefusedCount));
    }

    [Fact]
    public void What_would_change_nothing_and_what_is_not_expected_is_refused()
    {
        Refusals.Is(
            ErrorCode.NothingChanged,
            "The publish changes nothing: the newest release already has the state asked for.",
            _caller.Rollback(2));
        Refusals.Is(
            ErrorCode.WrongExpectedRelease,
            "The newest release of 'shop' is 2, not 1. Read it, and publish again on top of it.",
            _caller.Rollback(1, expected: 1));
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The note has a control character (U+0007) at position 1. Remove it.",
            _caller.Rollback(1, note: "\a"));
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The note has 2049 bytes of UTF-8, 2048 are allowed. Shorten it.",
            _caller.Rollback(1, note: new string('n', 2_049)));
    }

    [Fact]
    public void Rollbacks_of_one_application_are_done_one_after_the_other()
    {
        _caller.Publish("a", "3");
        _host.Store.Hold();
        _caller.Send(new Rollback(100, CallRig.Shop, Guid.NewGuid(), 1, PublishBegin.AnyRelease, ""));
        _caller.Send(new Rollback(101, CallRig.Shop, Guid.NewGuid(), 2, PublishBegin.AnyRelease, ""));
        // Was never there, which is said at once, and is not the end of the next.
        _caller.Send(new Rollback(102, CallRig.Shop, Guid.NewGuid(), 77, PublishBegin.AnyRelease, ""));
        _caller.Send(new Rollback(103, CallRig.Shop, Guid.NewGuid(), 1, PublishBegin.AnyRelease, ""));
        _host.Run();
        // The state that the second goes back to is not in memory while the first waits for the disk.
        Assert.Equal(1, _host.Store.ReadCount);
        _host.Store.LetGo();
        _host.Run();
        PublishResult[] results = [.. _caller.Take<PublishResult>()];
        Assert.Equal([102u, 100u, 101u, 103u], results.Select(r => r.Call));
        Assert.Equal(
            [(ErrorCode.NotFound, 0UL), (ErrorCode.None, 4UL), (ErrorCode.None, 5UL), (ErrorCode.None, 6UL)],
            results.Select(r => (r.Code, r.Release)));
    }

    [Fact]
    public void A_store_that_takes_no_read_or_is_locked_is_busy()
    {
        _host.Store.TakeNotNextRead();
        Refusals.Is(ErrorCode.Busy, Refusals.StoreBusy, _caller.Rollback(1));
        _host.Store.AnswerNextRead(Gms.Store.StoreStatus.Busy, "it is locked");
        Refusals.Is(ErrorCode.Busy, Refusals.StoreBusy, _caller.Rollback(1));
        Assert.Equal(2L, _host.RefusedCount);
        Assert.Equal(ErrorCode.None, _caller.Rollback(1).Code);
    }

    [Fact]
    public void A_read_that_failed_is_said_without_its_words()
    {
        _host.Store.AnswerNextRead(Gms.Store.StoreStatus.Failed, "the disk is gone");
        Refusals.Is(ErrorCode.StoreFailed, Refusals.StoreFailed, _caller.Rollback(1));
        Assert.Equal((2, 1L), (_host.Committed.Count, _host.RefusedCount));
    }

    [Fact]
    public void A_store_that_refuses_the_commit_releases_nothing()
    {
        _host.Store.AnswerNextCommit(Gms.Store.StoreStatus.Busy, "it is locked");
        Refusals.Is(ErrorCode.Busy, "Nothing was released: it is locked", _caller.Rollback(1));
        Assert.Equal(2, _host.Committed.Count);
    }
}
