using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Calls;

/// <summary>The making of applications at the control door.</summary>
public sealed class CreateCallTests
{
    private readonly CallRig _host = new();
    private readonly ControlCaller _admin;

    public CreateCallTests() => _admin = _host.Connect(CallRig.Admin);

    [Fact]
    public void An_application_that_was_made_takes_publishes_and_its_making_is_audited()
    {
        Assert.Equal(new CallResult(1, ErrorCode.None, ""), Create("new"));
        Assert.Equal(["new", "other", CallRig.Shop], _host.Applications);
        Assert.Equal(1UL, _admin.Publish("a", "1", application: "new").Release);
        AuditEntry audit = Assert.Single(_host.Store.Passed[0].Audit);
        Assert.Equal(
            ("token:admin node:00000000000000010000000000000001", "application.create", "new"),
            (audit.Actor, audit.Action, audit.Application));
    }

    [Fact]
    public void Only_an_administrator_of_the_cluster_makes_applications()
    {
        const string Text =
            "The token publisher does not allow this: it takes the role admin over all applications (*). Ask an administrator to set it.";
        ControlCaller publisher = _host.Connect(CallRig.Publisher);
        Refusals.Is(ErrorCode.NotAllowed, Text, Create("new", publisher));
        _host.Change(AccessTokenChange.Grant(CallRig.Publisher, new AccessTokenGrant(CallRig.Shop, AccessRole.Admin), 5, "test"));
        Refusals.Is(ErrorCode.NotAllowed, Text, Create("new", publisher));
        Assert.Empty(_host.Store.Passed);
    }

    [Fact]
    public void What_cannot_be_a_name_is_refused()
    {
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The application has no name. Give 1 to 100 characters of a-z 0-9 . _ -, starting with a letter or digit.",
            Create(""));
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The application name has 'N' at position 1. Use a-z 0-9 . _ - only, starting with a letter or digit.",
            Create("No Name"));
        Refusals.Is(
            ErrorCode.InvalidRequest,
            "The application name has 101 characters, 100 are allowed. Shorten it.",
            Create(new string('a', 101)));
        Assert.Equal(0, _host.Store.CommitCount);
    }

    [Fact]
    public void An_application_is_made_once()
    {
        Refusals.Is(ErrorCode.AlreadyExists, "The application 'shop' is there already.", Create(CallRig.Shop));
        Assert.Equal(0, _host.Store.CommitCount);
        // And when two ask at once.
        _admin.Send(new CreateApplication(11, "new"));
        _admin.Send(new CreateApplication(12, "new"));
        _host.Run();
        Assert.Equal(
            [
                new CallResult(11, ErrorCode.None, ""),
                new CallResult(12, ErrorCode.AlreadyExists, "The application 'new' is there already."),
            ],
            _admin.Take<CallResult>());
    }

    [Fact]
    public void A_store_that_is_full_makes_none()
    {
        _host.Store.TakeNotNextCommit();
        Refusals.Is(ErrorCode.Busy, Refusals.StoreBusy, Create("new"));
        Assert.Equal(["other", CallRig.Shop], _host.Applications);
        Assert.Equal(ErrorCode.None, Create("new").Code);
    }

    [Fact]
    public void A_store_that_refuses_or_fails_makes_none_and_says_why()
    {
        _host.Store.AnswerNextCommit(StoreStatus.Refused, "a rule forbids it");
        Refusals.Is(ErrorCode.StoreFailed, "The application was not created: a rule forbids it", Create("new"));
        _host.Store.Break("the disk is gone");
        Refusals.Is(ErrorCode.StoreFailed, "The application was not created: the disk is gone", Create("new"));
        Assert.Equal(["other", CallRig.Shop], _host.Applications);
    }

    private CallResult Create(string name, ControlCaller? caller = null)
    {
        caller ??= _admin;
        caller.Send(new CreateApplication(caller.NextCall(), name));
        return caller.Answer<CallResult>();
    }
}
