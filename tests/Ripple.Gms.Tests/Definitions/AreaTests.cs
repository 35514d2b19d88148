using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;
using Ripple.Gms.Tests.Calls;
using Ripple.Gms.Tests.Frontier;

namespace Ripple.Gms.Tests.Definitions;

/// <summary>Areas: zones that predicates select together, as the application says.</summary>
public sealed class AreaTests
{
    private const string Companion = "$shop";

    private readonly CallRig _host = new();
    private readonly ControlCaller _admin;

    public AreaTests() => _admin = _host.Connect(CallRig.Admin);

    [Theory]
    [InlineData("MIN($AREA(\"eu\").applied)", 3)]
    [InlineData("MAX($AREA(\"eu\").applied)", 5)]
    [InlineData("MIN($AREA(\"us-1\").applied)", 2)]
    [InlineData("MIN($AZ_eu.persisted)", 7)]
    [InlineData("MIN($MYAZWNODES.persisted)", 7)]
    [InlineData("MIN($MYWNODE.persisted)", 9)]
    [InlineData("MIN($ALLWNODES.persisted)", 1)]
    [InlineData("MIN(($ALL - $AREA(\"eu\")).applied)", 2)]
    public void Areas_select_the_zones_that_were_said_and_a_zone_in_none_is_one_by_itself(string text, ulong value)
    {
        FrontierTable table = new("shop", 1);
        (string Zone, ulong Node, ulong Host)[] zones = [("eu-1", 3, 9), ("eu-2", 5, 7), ("us-1", 2, 1)];
        ulong id = 0;
        foreach ((string zone, ulong node, ulong host) in zones)
        {
            table.Report(Tables.Add(table, ++id, $"n{id}", zone), 1, node, node, node, isDirect: false);
            table.Report(Tables.Add(table, ++id, $"h{id}", zone, isHost: true), 1, host, host, host, isDirect: false);
        }

        table.SetAreas(new Dictionary<string, System.Collections.Immutable.ImmutableArray<string>> { ["eu"] = ["eu-1", "eu-2"] });
        Predicate predicate = Tables.Parse(text);
        Assert.True(predicate.TryBind(
            new BindingContext { Table = table, Zone = "eu-1" }, out BoundPredicate? bound, out PredicateError? error), error?.ToString());
        Assert.Equal(value, bound.Evaluate());
    }

    [Fact]
    public void Another_area_is_another_version_of_every_predicate_and_a_wait_keeps_what_it_was_bound_to()
    {
        _host.Join("web-1").Report(0);
        _host.Connect(CallRig.Publisher).Publish("a", "1");
        Define("areas/all", "east");
        Define("predicates/safe", "MIN($AREA(\"all\").applied)");
        Assert.Equal(2UL, _host.Definitions!.Predicates["safe"].Version);
        Define("predicates/other", "MIN($ALL.applied)");
        Assert.Equal(2UL, _host.Definitions!.Predicates["safe"].Version);

        _admin.Send(new Wait(10, CallRig.Shop, 0, 1, "safe", 0, CountLeft: false));
        _host.Run();
        Define("areas/all", "east,west");
        Assert.Equal((4UL, 4UL), (_host.Definitions!.Predicates["safe"].Version, _host.Definitions!.Predicates["other"].Version));
        Assert.Empty(_admin.Take<WaitResult>());
        Assert.Equal(1, _host.WaitCount);
    }

    [Theory]
    [InlineData("areas/eu", "eu-1,,eu-2", "The area 'eu' has '', which is no zone. Give zones with commas between, each 1 to 64 of ")]
    [InlineData("areas/eu", "eu-1,eu-1", "The area 'eu' has a zone twice. Give each once.")]
    [InlineData("areas/-", "eu-1", "'-' is no name of an area. Give 1 to 64 of ")]
    public void What_is_no_area_is_refused(string key, string value, string begin)
    {
        PublishResult refused = _admin.Publish(key, value, application: Companion);
        Assert.Equal(ErrorCode.InvalidRequest, refused.Code);
        Assert.StartsWith(begin, refused.Text, StringComparison.Ordinal);
    }

    private void Define(string key, string value) =>
        Assert.Equal(ErrorCode.None, _admin.Publish(key, value, application: Companion).Code);
}
