using System.Reflection;

namespace Ripple.Architecture.Tests;

/// <summary>
/// The rooms of the host and their order. What every room may know (options, counters, events, the clock) lies in the root folder, and is
/// named here.
/// </summary>
public sealed class HostRoomTests
{
    private const string Project = "Ripple.Gms";

    private static readonly RoomOrder Order = new RoomOrder(
        Project,
        ["Store"],
        ["Placement"],
        ["shared"],
        ["Publishing"],
        ["Frontier"],
        ["Definitions"],
        ["Matching"],
        ["Regions", "Calls"],
        ["Sessions"],
        ["Core"],
        ["Api"],
        ["Endpoint"],
        ["Server"])
        .WithTypes(
            "shared",
            "GmsCounters",
            "GmsEvent",
            "GmsEventOptions",
            "GmsEventKind",
            "GmsEvents",
            "GmsOptions",
            "HostContext",
            "CallLimits",
            "HostLimits",
            "IReleaseSigner",
            "IWallClock",
            "Refusal",
            "RemovalCause",
            "ShareBound",
            "ShareLedger",
            "ShareOwner",
            "SpendingLimits");

    [Fact]
    public void Rooms_use_only_rooms_below_them_as_compiled()
    {
        IReadOnlyCollection<(string User, string Used)> uses = TypeUse.Of(Assembly.Load(Project));

        Assert.NotEmpty(uses);
        Rule.Holds(Order.Violations(uses));
    }

    [Fact]
    public void Rooms_name_only_rooms_below_them_in_their_usings()
    {
        IReadOnlyCollection<(string User, string Used)> uses = UsingUse.Of(Repository.SourceProjects.Single(p => p.Name == Project));

        Assert.NotEmpty(uses);
        Rule.Holds(Order.Violations(uses));
    }

    [Fact]
    public void Every_type_has_its_room_and_every_room_a_type() =>
        Rule.Holds(Order.Misfits(Assembly.Load(Project).GetTypes()
            .Where(t => !t.IsNested && t.Namespace?.StartsWith(Project, StringComparison.Ordinal) == true)
            .Select(t => t.FullName!)));

    [Theory]
    [InlineData("Ripple.Gms.Store.SqliteHostStore", "Ripple.Gms.HostContext")]
    [InlineData("Ripple.Gms.Placement.HostEpoch", "Ripple.Gms.IWallClock")]
    [InlineData("Ripple.Gms.HostContext", "Ripple.Gms.Publishing.ApplicationPrimary")]
    [InlineData("Ripple.Gms.Publishing.ApplicationPrimary", "Ripple.Gms.Core.HostCore")]
    [InlineData("Ripple.Gms.Frontier.ApplicationFrontier", "Ripple.Gms.Sessions.NodeConnection")]
    [InlineData("Ripple.Gms.Regions.ServedRegion", "Ripple.Gms.Sessions.NodeConnection")]
    [InlineData("Ripple.Gms.Regions.ServedRegion", "Ripple.Gms.Calls.CallService")]
    [InlineData("Ripple.Gms.Calls.CallService", "Ripple.Gms.Sessions.NodeConnection")]
    [InlineData("Ripple.Gms.Calls.CallService", "Ripple.Gms.Api.HostGateway")]
    [InlineData("Ripple.Gms.Sessions.NodeConnection", "Ripple.Gms.Core.HostCore")]
    [InlineData("Ripple.Gms.Api.HostGateway", "Ripple.Gms.Server.GmsServer")]
    [InlineData("Ripple.Gms.Api.HostGateway", "Ripple.Gms.Cellar.Thing")]
    public void A_planted_wrong_arrow_is_found(string user, string used) =>
        Assert.Contains(user, Assert.Single(Order.Violations([(user, used)])), StringComparison.Ordinal);
}
