using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;

namespace Ripple.Gms.Tests.Calls;

/// <summary>Who has what, at the control door.</summary>
public sealed class StatusCallTests
{
    private readonly CallRig _host = new();

    [Fact]
    public void Without_members_there_is_one_empty_page()
    {
        ControlCaller caller = _host.Connect(CallRig.Node);
        StatusResult before = Ask(caller, CallRig.Shop);
        Assert.Equal((ErrorCode.None, "", true, 0UL), (before.Code, before.Text, before.IsLast, before.Release));
        Assert.Empty(before.Rows);
        _host.Connect(CallRig.Publisher).Publish("a", "1");
        StatusResult after = Ask(caller, CallRig.Shop);
        Assert.Equal((1u, 1UL, true), (after.Generation, after.Release, after.IsLast));
    }

    [Fact]
    public void A_row_says_what_a_member_has_and_what_it_rejected()
    {
        ControlCaller node = _host.Join("web-1");
        ControlCaller publisher = _host.Connect(CallRig.Publisher);
        publisher.Publish("a", "1");
        publisher.Publish("a", "2");
        node.Report(1, (2, "no"));
        StatusRow row = Assert.Single(Ask(publisher, CallRig.Shop).Rows);
        Assert.Equal(
            ("web-1", "east", (byte)0, 1UL, 1UL, 1UL, 1UL),
            (row.Name, row.Zone, row.State, row.Received, row.Persisted, row.Applied, row.DirectApplied));
        Assert.Equal((2UL, "no"), (row.Rejected, row.Reason));
        // Who went is told too.
        node.Send(new Leave("it stops"));
        _host.Run();
        Assert.Equal(2, Assert.Single(Ask(publisher, CallRig.Shop).Rows).State);
    }

    [Theory]
    [InlineData(100, new[] { 100 })]
    [InlineData(101, new[] { 100, 1 })]
    [InlineData(230, new[] { 100, 100, 30 })]
    public void Rows_come_in_pages_of_a_hundred(int members, int[] pages)
    {
        _host.JoinAll([.. Enumerable.Range(0, members).Select(i => $"web-{i:D3}")]);
        ControlCaller caller = _host.Connect(CallRig.Publisher);
        caller.Publish("a", "1");
        caller.Send(new Status(9, CallRig.Shop));
        _host.Run();
        List<StatusResult> answers = caller.Take<StatusResult>();
        Assert.Equal(pages, answers.Select(a => a.Rows.Count));
        Assert.Equal(pages.Select((_, i) => i == pages.Length - 1), answers.Select(a => a.IsLast));
        Assert.All(answers, a => Assert.Equal((9u, ErrorCode.None, 1UL), (a.Call, a.Code, a.Release)));
        Assert.Equal(members, answers.SelectMany(a => a.Rows).Select(r => r.Name).Distinct().Count());
    }

    [Fact]
    public void Who_has_no_role_in_an_application_is_told_nothing_of_it()
    {
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token stranger does not allow this: it takes the role node in 'shop'. Ask an administrator to set it.",
            Ask(_host.Connect(CallRig.Stranger), CallRig.Shop));
        Refusals.Is(
            ErrorCode.UnknownApplication,
            "There is no application 'nowhere'. Create it first, or look for a typing error.",
            Ask(_host.Connect(CallRig.Admin), "nowhere"));
    }

    private static StatusResult Ask(ControlCaller caller, string application)
    {
        caller.Send(new Status(caller.NextCall(), application));
        return caller.Answer<StatusResult>();
    }
}
