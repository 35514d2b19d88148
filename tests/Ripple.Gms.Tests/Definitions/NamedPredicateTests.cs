using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Tests.Calls;

namespace Ripple.Gms.Tests.Definitions;

/// <summary>Predicates with names: releases of the companion, which waits name.</summary>
public sealed class NamedPredicateTests
{
    private const string Companion = "$shop";
    private const string Safe = "predicates/safe";

    private readonly CallRig _host = new();
    private readonly ControlCaller _admin;

    public NamedPredicateTests() => _admin = _host.Connect(CallRig.Admin);

    [Fact]
    public void The_first_definition_makes_the_companion_and_a_wait_by_name_is_held_as_by_its_text()
    {
        ControlCaller node = _host.Join("web-1");
        ControlCaller publisher = _host.Connect(CallRig.Publisher);
        publisher.Publish("a", "1");

        PublishResult set = Publish(Safe, "MIN($ALL.applied)");

        Assert.Equal((ErrorCode.None, 1UL), (set.Code, set.Release));
        Assert.Contains(Companion, _host.Applications);
        publisher.Send(new Wait(10, CallRig.Shop, 0, 1, "safe", 0, CountLeft: false));
        _host.Run();
        Assert.Empty(publisher.Take<WaitResult>());
        node.Report(1);
        Assert.Equal((byte)0, Assert.Single(publisher.Take<WaitResult>()).Outcome);
    }

    [Fact]
    public void A_wait_under_way_keeps_its_predicate_and_the_next_has_the_new_one()
    {
        ControlCaller[] nodes = _host.JoinAll("web-1", "web-2");
        ControlCaller publisher = _host.Connect(CallRig.Publisher);
        publisher.Publish("a", "1");
        Publish(Safe, "MIN($ALL.applied)");
        publisher.Send(new Wait(10, CallRig.Shop, 0, 1, "safe", 0, CountLeft: false));
        _host.Run();
        Publish(Safe, "MAX($ALL.applied)");
        publisher.Send(new Wait(11, CallRig.Shop, 0, 1, "safe", 0, CountLeft: false));
        _host.Run();

        nodes[0].Report(1);

        Assert.Equal(11u, Assert.Single(publisher.Take<WaitResult>()).Call);
        nodes[1].Report(1);
        Assert.Equal(10u, Assert.Single(publisher.Take<WaitResult>()).Call);
    }

    [Fact]
    public void A_rollback_of_the_companion_brings_the_predicate_before_back()
    {
        _host.JoinAll("web-1", "web-2")[0].Report(0);
        ControlCaller publisher = _host.Connect(CallRig.Publisher);
        publisher.Publish("a", "1");
        Publish(Safe, "MAX($ALL.received)");
        Publish(Safe, "MIN($ALL.received)");
        Assert.Equal(ErrorCode.None, _admin.Rollback(1, application: Companion).Code);

        // One of two is enough again.
        publisher.Send(new Wait(10, CallRig.Shop, 0, 1, "safe", 0, CountLeft: false));
        _host.Run();
        WaitProgress progress = Assert.Single(publisher.Take<WaitProgress>());
        Assert.Equal(2u, progress.Total);
        Assert.Equal("MAX($ALL.received)", _host.Definitions!.Predicates["safe"].Text);
        Assert.Equal(3UL, _host.Definitions!.Predicates["safe"].Version);
    }

    [Fact]
    public void Definitions_are_there_again_after_a_start_and_until_then_who_asks_is_told_to_ask_again()
    {
        _host.Connect(CallRig.Publisher).Publish("a", "1");
        Publish(Safe, "MIN($REPLICAS.persisted)");
        _host.Restart();
        ControlCaller publisher = _host.Connect(CallRig.Publisher);
        publisher.Send(new Wait(1, CallRig.Shop, 0, 1, "safe", 0, CountLeft: false));
        _host.Pump();
        WaitResult early = Assert.Single(publisher.Take<WaitResult>());
        Refusals.Is(ErrorCode.Busy, "The definitions of 'shop' are being read. Ask again.", early);

        _host.Run();
        publisher.Send(new Wait(2, CallRig.Shop, 0, 1, "safe", 0, CountLeft: false));
        WaitResult later = publisher.Answer<WaitResult>();
        Assert.Equal((ErrorCode.None, (byte)0), (later.Code, later.Outcome));
    }

    [Fact]
    public void A_definition_that_is_read_with_a_flipped_bit_is_read_again()
    {
        _host.Connect(CallRig.Publisher).Publish("a", "1");
        Publish(Safe, "MIN($REPLICAS.persisted)");
        _host.FlipValues(true);
        _host.Restart();
        _host.Run();
        Assert.Null(_host.Definitions);

        _host.FlipValues(false);
        _host.Run();
        Assert.Equal("MIN($REPLICAS.persisted)", _host.Definitions!.Predicates["safe"].Text);
    }

    [Fact]
    public void A_publisher_that_was_answered_never_meets_the_predicate_before()
    {
        ControlCaller publisher = _host.Connect(CallRig.Publisher);
        publisher.Publish("a", "1");
        Publish(Safe, "MIN($REPLICAS.persisted)");
        _admin.BeginPublish([(Safe, "MIN($ALL.applied)")], application: Companion);
        PublishResult? answered = null;
        for (int i = 0; i < 1_000 && answered is null; i++)
        {
            _host.Run(20_000);
            answered = _admin.Take<PublishResult>().SingleOrDefault();
        }

        Assert.Equal(2UL, answered!.Release);
        publisher.Send(new Wait(2, CallRig.Shop, 0, 1, "safe", 0, CountLeft: false));
        _host.Pump();
        // Nobody is there that could have applied it: by the new one it cannot begin, by the one before it would be held.
        Assert.All(publisher.Take<WaitResult>(), r => Assert.NotEqual(ErrorCode.None, r.Code));
    }

    [Theory]
    [InlineData("sefe", "'shop' has no predicate 'sefe'. Near: safe. Set it first, or write it out.")]
    [InlineData("everywhere", "'shop' has no predicate 'everywhere'. There are safe. Set it first, or write it out.")]
    public void A_name_that_is_not_there_is_refused_with_those_that_are_near(string name, string text)
    {
        _host.Connect(CallRig.Publisher).Publish("a", "1");
        Publish(Safe, "MIN($ALL.applied)");
        _admin.Send(new Wait(1, CallRig.Shop, 0, 1, name, 0, CountLeft: false));
        Refusals.Is(ErrorCode.InvalidPredicate, text, _admin.Answer<WaitResult>());
    }

    [Theory]
    [InlineData("predicates/safe", "MIN($ALL.applied", ErrorCode.InvalidPredicate, "The predicate 'safe' is not one. At 16: ")]
    [InlineData("predicates/Safe", "MIN($ALL.applied)", ErrorCode.InvalidRequest, "'Safe' is no name of a predicate. Give 1 to 64 of ")]
    [InlineData("predicates/", "MIN($ALL.applied)", ErrorCode.InvalidRequest, "'' is no name of a predicate. Give 1 to 64 of ")]
    [InlineData(
        "a",
        "1",
        ErrorCode.InvalidRequest,
        "'a' is no definition. Their keys are predicates/NAME, levels/NAME, areas/NAME, externals/NAME, reports/EXTERNAL/LEVEL and space.")]
    public void What_is_no_definition_is_refused_before_it_is_ordered(string key, string value, ErrorCode code, string begin)
    {
        PublishResult result = Publish(key, value);
        Assert.Equal(code, result.Code);
        Assert.StartsWith(begin, result.Text, StringComparison.Ordinal);
        Assert.DoesNotContain(Companion, _host.Applications);
    }

    [Fact]
    public void It_takes_an_administrator_of_the_application_to_define_and_a_node_of_it_to_read()
    {
        PublishResult refused = _host.Connect(CallRig.Publisher).Publish(Safe, "MIN($ALL.applied)", application: Companion);
        Refusals.Is(
            ErrorCode.NotAllowed,
            "The token publisher does not allow this: it takes the role admin in 'shop'. Ask an administrator to set it.",
            refused);
        Publish(Safe, "MIN($ALL.applied)");
        ControlCaller node = _host.Connect(CallRig.Node);
        node.Send(new ReadKey(1, Companion, 0, Safe));
        Assert.Equal(ErrorCode.None, node.Answer<ReadKeyResult>().Code);
        ControlCaller stranger = _host.Connect(CallRig.Stranger);
        stranger.Send(new ReadKey(1, Companion, 0, Safe));
        Assert.Equal(ErrorCode.NotAllowed, stranger.Answer<ReadKeyResult>().Code);
    }

    [Fact]
    public void Nobody_takes_a_companion()
    {
        Publish(Safe, "MIN($ALL.applied)");
        ControlCaller node = _host.Connect(CallRig.Node);
        node.Send(_host.JoinMessage("web-1") with { Interest = [Companion] });
        JoinRefused refused = node.Answer<JoinRefused>();
        Assert.Equal(ErrorCode.UnknownApplication, refused.Code);
        _admin.Send(new CreateApplication(5, "$other"));
        Assert.Equal(ErrorCode.InvalidRequest, _admin.Answer<CallResult>().Code);
    }

    [Fact]
    public void Two_first_definitions_at_once_are_both_released()
    {
        _admin.BeginPublish([(Safe, "MIN($ALL.applied)")], application: Companion);
        _admin.BeginPublish([("predicates/first", "MAX($ALL.applied)")], application: Companion);
        _host.Run();
        Assert.Equal([1UL, 2UL], _admin.Take<PublishResult>().Select(r => r.Code == ErrorCode.None ? r.Release : 0));
        Assert.Equal(["first", "safe"], _host.Definitions!.Predicates.Keys);
    }

    [Fact]
    public void An_application_has_so_many_definitions_and_no_more()
    {
        for (int i = 0; i < 64; i += 32)
        {
            _admin.BeginPublish(
                Enumerable.Range(i, 32).Select(n => ($"predicates/p{n}", (string?)"MIN($ALL.applied)")), application: Companion);
            Assert.Equal(ErrorCode.None, _admin.Answer<PublishResult>().Code);
        }

        Refusals.Is(
            ErrorCode.TooLarge,
            "'shop' would have 65 definitions, and an application has 64 at most. Remove some.",
            Publish(Safe, "MIN($ALL.applied)"));
    }

    private PublishResult Publish(string key, string value) => _admin.Publish(key, value, application: Companion);
}
