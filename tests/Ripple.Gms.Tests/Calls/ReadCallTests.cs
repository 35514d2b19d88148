using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Calls;

/// <summary>Reads at the control door: where the value of a key is.</summary>
public sealed class ReadCallTests
{
    private readonly CallRig _host = new();
    private readonly ControlCaller _caller;

    public ReadCallTests() => _caller = _host.Connect(CallRig.Publisher);

    [Fact]
    public void A_key_is_found_at_the_newest_and_at_a_past_release()
    {
        _caller.Publish("a", "one");
        _caller.Publish("a", "second");
        var one = ContentDigest.Compute("one"u8);
        var second = ContentDigest.Compute("second"u8);
        Assert.Equal(new ReadKeyResult(3, ErrorCode.None, "", 1, 1, 2, second, 6), Read("a", 0));
        Assert.Equal(new ReadKeyResult(4, ErrorCode.None, "", 1, 1, 2, second, 6), Read("a", 2));
        Assert.Equal(new ReadKeyResult(5, ErrorCode.None, "", 1, 1, 1, one, 3), Read("a", 1));
    }

    [Fact]
    public void A_key_that_is_not_there_is_not_found()
    {
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'a' at release 0.", Read("a", 0));
        _caller.Publish("a", "1");
        _caller.Publish("a", null);
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'a' at release 2.", Read("a", 0));
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'b' at release 1.", Read("b", 1));
    }

    [Fact]
    public void A_release_that_was_never_there_is_said_with_the_newest()
    {
        Refusals.Is(ErrorCode.NotFound, "'shop' has no release 1; the newest is 0.", Read("a", 1));
        _caller.Publish("a", "1");
        Refusals.Is(ErrorCode.NotFound, "'shop' has no release 9; the newest is 1.", Read("a", 9));
    }

    [Fact]
    public void A_past_release_from_a_store_that_is_locked_is_busy_and_from_one_that_failed_is_said()
    {
        _caller.Publish("a", "1");
        _caller.Publish("a", "2");
        _host.Store.AnswerNextRead(StoreStatus.Busy, "it is locked");
        Refusals.Is(ErrorCode.Busy, Refusals.StoreBusy, Read("a", 1));
        _host.Store.AnswerNextRead(StoreStatus.Failed, "the disk is gone");
        Refusals.Is(ErrorCode.StoreFailed, Refusals.StoreFailed, Read("a", 1));
        // What is in memory needs no disk.
        Assert.Equal(ErrorCode.None, Read("a", 2).Code);
    }

    [Fact]
    public void A_past_release_is_read_from_the_store_once()
    {
        _caller.Publish("a", "1");
        _caller.Publish("a", "2");
        ReadKeyResult first = Read("a", 1);
        _host.Store.BreakReads("the disk is gone");
        Assert.Equal(first with { Call = first.Call + 1 }, Read("a", 1));
    }

    [Fact]
    public void Who_has_no_role_in_an_application_reads_nothing_of_it()
    {
        _caller.Publish("a", "1");
        ControlCaller stranger = _host.Connect(CallRig.Stranger);
        stranger.Send(new ReadKey(1, CallRig.Shop, 0, "a"));
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token stranger does not allow this: it takes the role node in 'shop'. Ask an administrator to set it.",
            stranger.Answer<ReadKeyResult>());
        ControlCaller admin = _host.Connect(CallRig.Admin);
        admin.Send(new ReadKey(1, "nowhere", 0, "a"));
        Refusals.Is(
            ErrorCode.UnknownApplication,
            "There is no application 'nowhere'. Create it first, or look for a typing error.",
            admin.Answer<ReadKeyResult>());
        ControlCaller node = _host.Connect(CallRig.Node);
        node.Send(new ReadKey(1, CallRig.Shop, 0, "a"));
        Assert.Equal(ErrorCode.None, node.Answer<ReadKeyResult>().Code);
    }

    [Fact]
    public void The_newest_release_needs_no_store_and_a_past_one_waits_for_none_that_is_full()
    {
        _caller.Publish("a", "1");
        _caller.Publish("a", "2");
        _host.Store.TakeNotNextRead();
        Assert.Equal(ErrorCode.None, Read("a", 2).Code);
        Refusals.Is(ErrorCode.Busy, Refusals.StoreBusy, Read("a", 1));
        Assert.Equal(ErrorCode.None, Read("a", 1).Code);
    }

    [Fact]
    public void A_past_release_that_nobody_asks_for_for_a_minute_is_read_again()
    {
        _caller.Publish("a", "1");
        _caller.Publish("a", "2");
        Assert.Equal(1, ReadAnew());
        _host.Run(30_000_000_000);
        Assert.Equal(1, ReadAnew());
        _host.Run(90_000_000_000);
        Assert.Equal(2, ReadAnew());

        int ReadAnew()
        {
            // On a connection of its own: one that is silent for so long is closed.
            ControlCaller caller = _host.Connect(CallRig.Node);
            caller.Send(new ReadKey(1, CallRig.Shop, 1, "a"));
            Assert.Equal(ErrorCode.None, caller.Answer<ReadKeyResult>().Code);
            return _host.Store.ReadCount;
        }
    }

    [Fact]
    public void A_rollback_and_a_read_of_the_same_release_share_one_walk()
    {
        _caller.Publish("a", "1");
        _caller.Publish("a", "2");
        Assert.Equal(ErrorCode.None, Read("a", 1).Code);
        Assert.Equal(ErrorCode.None, _host.Connect(CallRig.Publisher).Rollback(1).Code);
        Assert.Equal(1, _host.Store.ReadCount);
    }

    private ReadKeyResult Read(string key, ulong release)
    {
        _caller.Send(new ReadKey(_caller.NextCall(), CallRig.Shop, release, key));
        return _caller.Answer<ReadKeyResult>();
    }
}
