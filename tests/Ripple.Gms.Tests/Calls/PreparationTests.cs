using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Calls;

/// <summary>
/// What may happen to a publish that came whole, while its values are checked: it is answered once, and its bytes are counted once.
/// </summary>
public sealed class PreparationTests
{
    private const string RevokedOrExpired = " was revoked, or its time ended. Ask an administrator for another.";
    private readonly CallRig _host = new() { HoldsPreparations = true };
    private readonly ControlCaller _caller;

    public PreparationTests() => _caller = _host.Connect(CallRig.Publisher);

    [Fact]
    public void The_role_is_asked_again_when_the_publish_was_prepared()
    {
        _caller.BeginPublish([("a", "1")]);
        _host.Run();
        _host.Change(AccessTokenChange.Withdraw(CallRig.Publisher, CallRig.Shop, 5, "test"));
        _host.Prepare();
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token publisher does not allow this: it takes the role publisher in 'shop'. Ask an administrator to set it.",
            _caller.Answer<PublishResult>());
        NothingCameOfIt();
    }

    [Fact]
    public void A_publish_of_a_token_that_was_revoked_meanwhile_is_refused()
    {
        _caller.BeginPublish([("a", "1")]);
        _host.Run();
        _host.ChangeAndKnow(AccessTokenChange.Revoke(CallRig.Publisher, 5, "test"));
        _host.Prepare();
        Refusals.Is(ErrorCode.NotAllowed, "The token publisher" + RevokedOrExpired, _caller.Answer<PublishResult>());
        NothingCameOfIt();
    }

    [Fact]
    public void A_publish_of_a_token_that_was_revoked_meanwhile_is_refused_also_without_its_connection()
    {
        _caller.BeginPublish([("a", "1")]);
        _host.Run();
        _host.Change(AccessTokenChange.Revoke(CallRig.Publisher, 5, "test"));
        Assert.NotNull(_caller.ClosedBecause);
        _host.Prepare();
        _host.Run();
        NothingCameOfIt();
    }

    [Fact]
    public void A_publish_of_a_token_whose_time_ended_meanwhile_is_refused()
    {
        var grants = AccessTokenGrant.For([CallRig.Shop], AccessRole.Publisher);
        long endsMicros = _host.UnixMicros + 2_000_000;
        _host.Change(AccessTokenChange.Create(new AccessToken("brief", new byte[32], grants, 1, endsMicros, null), "test"));
        ControlCaller brief = _host.Connect("brief");
        brief.BeginPublish([("a", "1")]);
        _host.Run();
        // Small steps: when the host looks at its connections next, this one goes.
        while (_host.UnixMicros < endsMicros)
        {
            _host.Run(1_000_000);
        }

        _host.Prepare();
        Refusals.Is(ErrorCode.NotAllowed, "The token brief" + RevokedOrExpired, brief.Answer<PublishResult>());
        NothingCameOfIt();
        _host.Run(1_000_000_000);
        Assert.Equal(
            "The other side ended the link: its token brief is revoked, expired, or no longer good for what it takes", brief.ClosedBecause);
        Assert.Null(_caller.ClosedBecause);
    }

    [Theory]
    [InlineData("6")]
    [InlineData("")]
    public void A_part_that_comes_after_the_whole_is_dropped(string part)
    {
        uint call = _caller.BeginPublish([("a", "12345")]);
        _caller.Send(new PublishPart(call, System.Text.Encoding.UTF8.GetBytes(part)));
        _host.Run();
        Assert.Empty(_caller.Take<PublishResult>());
        Assert.Equal(1, _host.HeldCount);
        _host.Prepare();
        PublishResult done = _caller.Answer<PublishResult>();
        Assert.Equal((call, ErrorCode.None, 1UL), (done.Call, done.Code, done.Release));
        Assert.Equal(5, Assert.Single(Assert.Single(_host.Committed).Changes).Length);
        Assert.Equal((0L, 0L), (_host.UploadBytes, _host.RefusedCount));
        Assert.Null(_caller.ClosedBecause);
    }

    [Fact]
    public void A_publish_that_came_whole_goes_on_without_its_connection()
    {
        _caller.BeginPublish([("a", "1")]);
        _host.Run();
        _caller.Break();
        Assert.Equal(1L, _host.UploadBytes);
        _host.Prepare();
        _host.Run();
        Assert.Single(_host.Committed);
        Assert.Equal(0L, _host.UploadBytes);
    }

    private void NothingCameOfIt()
    {
        Assert.Empty(_host.Committed);
        Assert.Equal((0L, 1L), (_host.UploadBytes, _host.RefusedCount));
    }
}
