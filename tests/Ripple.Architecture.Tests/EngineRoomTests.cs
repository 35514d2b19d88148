using System.Reflection;
using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests;

/// <summary>
/// The order of the engine's rooms, its folders. A room uses only rooms that stand above it in the list, and of these only the ones its
/// line names: so there is no circle, and a new arrow between two rooms is a line somebody reviews.
/// </summary>
public sealed class EngineRoomTests
{
    private const string Root = "Ripple.Engine.";
    private const string Folder = "src/Engine/Ripple.Engine";

    /// <summary>The rooms from the bottom up, each with the rooms it may use.</summary>
    private static readonly (string Room, string[] MayUse)[] Order =
    [
        ("Memory", []),
        ("Core", ["Memory"]),
        ("Matching", ["Memory"]),
        ("Links", []),
        ("Wire", ["Core", "Memory"]),
        ("Regions", ["Core"]),
        ("Stack", ["Core"]),
        ("Interest", ["Wire"]),
        ("Streams", ["Core", "Memory", "Wire", "Regions", "Stack"]),
        ("Releases", ["Core", "Wire", "Regions"]),
        ("Rings", ["Core", "Memory", "Wire", "Regions", "Stack", "Releases"]),
        ("Protocol", ["Core", "Matching", "Links", "Wire", "Regions", "Interest", "Releases"]),
        ("Caching", ["Core", "Wire", "Regions", "Streams"]),
        ("Nodes", ["Core", "Links", "Wire", "Regions", "Stack", "Streams", "Releases", "Rings", "Protocol", "Caching"]),
    ];

    [Fact]
    public void Every_folder_of_the_engine_is_a_room_of_the_list() =>
        Assert.Equal(
            Order.Select(o => o.Room).Order(StringComparer.Ordinal),
            Repository.Files("*.cs", Folder).Select(RoomOfFile).Distinct().Order(StringComparer.Ordinal));

    [Fact]
    public void A_room_may_use_only_rooms_above_it_in_the_list() =>
        Rule.Holds(
            from place in Enumerable.Range(0, Order.Length)
            from used in Order[place].MayUse
            where !Order.Take(place).Any(o => o.Room == used)
            select $"{Order[place].Room} stands above {used} or beside it");

    [Fact]
    public void Rooms_use_only_the_rooms_they_may_as_compiled()
    {
        (string User, string Used)[] uses = [.. TypeUse.Of(Assembly.Load("Ripple.Engine")).Where(u => RoomOf(u.Used).Length > 0)];

        Assert.All(Order, o => Assert.Contains(uses, u => RoomOf(u.User) == o.Room));
        Rule.Holds(WrongArrows(uses));
    }

    /// <summary>Constants leave no trace in the compiled assembly; a using, or the room before a type's name, does in the source.</summary>
    [Fact]
    public void Rooms_name_only_the_rooms_they_may_in_their_source()
    {
        (string User, string Used)[] uses =
        [
            .. from file in Repository.Files("*.cs", Folder)
               from used in RoomsNamedIn(File.ReadAllText(file))
               select ($"{Root}{RoomOfFile(file)}.{Path.GetFileNameWithoutExtension(file)}", $"{Root}{used}"),
        ];

        Assert.NotEmpty(uses);
        Rule.Holds(WrongArrows(uses));
    }

    [Fact]
    public void An_arrow_of_the_list_that_nobody_uses_is_taken_out()
    {
        HashSet<(string, string)> used =
        [
            .. TypeUse.Of(Assembly.Load("Ripple.Engine")).Select(u => (RoomOf(u.User), RoomOf(u.Used))),
            .. from file in Repository.Files("*.cs", Folder)
               from room in RoomsNamedIn(File.ReadAllText(file))
               select (RoomOfFile(file), room),
        ];

        Rule.Holds(
            from order in Order
            from room in order.MayUse
            where !used.Contains((order.Room, room))
            select $"{order.Room} may use {room} and does not");
    }

    [Theory]
    [InlineData("Core.CoreLoop", "Wire.PacketHeader")]
    [InlineData("Streams.StreamReceiver", "Rings.RingMember")]
    [InlineData("Rings.LeaderTable", "Protocol.Evidence.Heartbeat")]
    [InlineData("Releases.ReleaseIntake", "Nodes.Node")]
    [InlineData("Wire.PacketOpener", "Unlisted.Thing")]
    [InlineData("Unlisted.Thing", "Core.CoreLoop")]
    public void A_planted_wrong_arrow_is_found(string user, string used) =>
        Assert.Equal($"{Root}{user} uses {Root}{used}", Assert.Single(WrongArrows([($"{Root}{user}", $"{Root}{used}")])));

    [Theory]
    [InlineData("Wire.PacketHeader", "Core.CoreLoop")]
    [InlineData("Nodes.Node", "Rings.RingMember")]
    [InlineData("Streams.StreamReceiver", "Streams.GapBlocks")]
    public void An_arrow_of_the_list_is_allowed(string user, string used) =>
        Assert.Empty(WrongArrows([($"{Root}{user}", $"{Root}{used}")]));

    [Theory]
    [InlineData("using Ripple.Engine.Wire;\n", "Wire")]
    [InlineData("using static Ripple.Engine.Wire.WireLimits;\n", "Wire")]
    [InlineData("using Limits = Ripple.Engine.Wire.WireLimits;\n", "Wire")]
    [InlineData("int a = Wire.WireLimits.TrainPacketsMax;", "Wire")]
    [InlineData("int a = Ripple.Engine.Wire.WireLimits.TrainPacketsMax;", "Wire")]
    [InlineData("/// <see cref=\"Wire.WireLimits\"/>", null)]
    [InlineData("int a = table.Frontier.FrontierTable + Frontier.Count;", null)]
    public void A_room_named_in_the_source_is_seen(string source, string? room) =>
        Assert.Equal(room is null ? [] : [room], RoomsNamedIn(source));

    private static IEnumerable<string> WrongArrows(IEnumerable<(string User, string Used)> uses) =>
        from use in uses
        let user = RoomOf(use.User)
        let used = RoomOf(use.Used)
        where user != used && !Order.Any(o => o.Room == user && o.MayUse.Contains(used))
        select $"{use.User} uses {use.Used}";

    /// <summary>The rooms a source file names: in a using, or before the name of one of their types.</summary>
    private static IEnumerable<string> RoomsNamedIn(string source)
    {
        string code = SourceText.CodeOnly(source);
        IEnumerable<string> usings = Regex.Matches(code, @"^using [^;]*\bRipple\.Engine\.(\w+)", RegexOptions.Multiline)
            .Select(m => m.Groups[1].Value);
        IEnumerable<string> prefixes = Regex.Matches(code, @"(?<![\w.])(?:Ripple\.Engine\.)?(\w+)\.(\w+)")
            .Select(m => (Room: m.Groups[1].Value, Type: m.Groups[2].Value))
            .Where(p => File.Exists(Repository.PathOf($"{Folder}/{p.Room}/{p.Type}.cs")))
            .Select(p => p.Room);
        return usings.Concat(prefixes).Distinct();
    }

    private static string RoomOf(string type) =>
        type.StartsWith(Root, StringComparison.Ordinal) ? type[Root.Length..].Split('.')[0] : string.Empty;

    private static string RoomOfFile(string file) => Path.GetRelativePath(Repository.PathOf(Folder), file).Replace('\\', '/').Split('/')[0];
}
