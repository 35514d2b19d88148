using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;

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
        ReadKeyResult newest = Read("a", 0);
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'a' at release 2.", newest);
        Assert.Equal((1u, 1u, 2UL), (newest.Topic, newest.Generation, newest.Release));
        ReadKeyResult past = Read("b", 1);
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'b' at release 1.", past);
        Assert.Equal((1u, 1u, 1UL), (past.Topic, past.Generation, past.Release));
    }

    [Fact]
    public void A_release_that_was_never_there_is_said_to_have_no_such_key()
    {
        _caller.Publish("a", "1");
        ReadKeyResult answer = Read("a", 9);
        Refusals.Is(ErrorCode.NotFound, "'shop' has no key 'a' at release 9.", answer);
        Assert.Equal((1u, 0u, 9UL), (answer.Topic, answer.Generation, answer.Release));
    }

    [Fact]
    public void Who_has_no_role_in_an_application_reads_nothing_of_it()
    {
        _caller.Publish("a", "1");
        ControlCaller stranger = _host.Connect(CallRig.Stranger);
        stranger.Send(new ReadKey(1, CallRig.Shop, 0, "a"));
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token stranger does not allow this in 'shop': it takes the role Node in that application. Ask an administrator.",
            stranger.Answer<ReadKeyResult>());
        ControlCaller admin = _host.Connect(CallRig.Admin);
        admin.Send(new ReadKey(1, "nowhere", 0, "a"));
        Refusals.Is(ErrorCode.UnknownApplication, "There is no application 'nowhere'. Create it first, or look for a typing error.", admin.Answer<ReadKeyResult>());
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
        Refusals.Is(ErrorCode.Busy, "The store is busy; try again.", Read("a", 1));
        Assert.Equal(ErrorCode.None, Read("a", 1).Code);
    }

    private ReadKeyResult Read(string key, ulong release)
    {
        _caller.Send(new ReadKey(_caller.NextCall(), CallRig.Shop, release, key));
        return _caller.Answer<ReadKeyResult>();
    }
}
