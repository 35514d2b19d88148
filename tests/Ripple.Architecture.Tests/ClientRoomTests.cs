using System.Reflection;

namespace Ripple.Architecture.Tests;

/// <summary>
/// The rooms of the client and their order. Users name contracts and entry by one namespace, <c>Ripple.Client</c>, so that both lie in the
/// root folder; they are the bottom and the top of the order, and are told apart here by name.
/// </summary>
public sealed class ClientRoomTests
{
    private const string Project = "Ripple.Client";

    private static readonly RoomOrder Order = new RoomOrder(
        Project,
        ["contracts"],
        ["Scheduling"],
        ["Diagnostics", "State", "Verification"],
        ["Events", "Snapshots"],
        ["Running"],
        ["Calls", "Spaces"],
        ["entry"])
        .WithTypes(
            "contracts",
            "ApplicationStatus",
            "ConnectionState",
            "ConnectionStateChange",
            "EmitUntil",
            "EmittedEvent",
            "FrontierPoint",
            "FullQueue",
            "HistoryEntry",
            "IRippleClient",
            "IRippleSpace",
            "MemberState",
            "MemberStatus",
            "PublishRequest",
            "PublishResult",
            "ReadResult",
            "ReleaseChanges",
            "ReleaseDecision",
            "RippleBox",
            "RippleConnectionException",
            "RippleDimensionAttribute",
            "RippleEvent",
            "RippleEventId",
            "RippleException",
            "RipplePoint",
            "RipplePublishException",
            "RippleRefusedException",
            "RippleRelease",
            "RippleRuntimeOptions",
            "RippleSubscribeOptions",
            "RippleTimeoutException",
            "RippleTypedEvent`1",
            "RippleValue",
            "SnapshotMode",
            "StartupMode",
            "WaitMember",
            "WaitOutcome",
            "WaitProgress",
            "WaitResult")
        .WithTypes(
            "entry",
            "RippleClient",
            "RippleClientOptions",
            "RippleRuntime",
            "RippleSpaceExtensions",
            "SettingsResolver",
            "StartWait");

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
        Rule.Holds(Order.Misfits(Assembly.Load(Project).GetTypes().Where(t => !t.IsNested).Select(t => t.FullName!)));

    [Theory]
    [InlineData("Ripple.Client.RippleRelease", "Ripple.Client.State.CurrentReleases")]
    [InlineData("Ripple.Client.IRippleClient", "Ripple.Client.RippleRuntime")]
    [InlineData("Ripple.Client.State.ClientSettings", "Ripple.Client.RippleClientOptions")]
    [InlineData("Ripple.Client.Diagnostics.ClientLog", "Ripple.Client.State.ClientSettings")]
    [InlineData("Ripple.Client.Snapshots.SnapshotStore", "Ripple.Client.Events.Dispatcher")]
    [InlineData("Ripple.Client.Running.ClientCore", "Ripple.Client.Calls.HostCalls")]
    [InlineData("Ripple.Client.Calls.Reader", "Ripple.Client.RippleClient")]
    [InlineData("Ripple.Client.Calls.Reader", "Ripple.Client.Cellar.Thing")]
    public void A_planted_wrong_arrow_is_found(string user, string used) =>
        Assert.Contains(user, Assert.Single(Order.Violations([(user, used)])), StringComparison.Ordinal);
}
