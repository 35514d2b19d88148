using System.Reflection;
using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests;

/// <summary>The rooms of the engine: the codecs know no room, the core knows nothing at all.</summary>
public sealed class EngineRoomTests
{
    private const string Root = "Ripple.Engine.";

    /// <summary>The rooms that may use few others. A room not named here may use what it needs.</summary>
    private static readonly Dictionary<string, string[]> Allowed = new(StringComparer.Ordinal)
    {
        ["Core"] = [],
        ["Wire"] = ["Core"],
    };

    public static TheoryData<string> Rooms => [.. Allowed.Keys];

    [Theory]
    [MemberData(nameof(Rooms))]
    public void Room_uses_only_the_rooms_it_may_as_compiled(string room)
    {
        IReadOnlyCollection<(string User, string Used)> uses = TypeUse.Of(Assembly.Load("Ripple.Engine"));
        (string User, string Used)[] ofRoom = [.. uses.Where(u => RoomOf(u.User) == room && u.Used.StartsWith(Root, StringComparison.Ordinal))];

        Assert.NotEmpty(ofRoom);
        Rule.Holds(ofRoom.Where(u => RoomOf(u.Used) != room && !Allowed[room].Contains(RoomOf(u.Used))).Select(u => $"{u.User} uses {u.Used}"));
    }

    /// <summary>Constants leave no trace in the compiled assembly; a using does in the source.</summary>
    [Theory]
    [MemberData(nameof(Rooms))]
    public void Room_names_only_the_rooms_it_may_in_its_usings(string room) =>
        Rule.Holds(
            from file in Repository.Files("*.cs", $"src/Engine/Ripple.Engine/{room}")
            from Match use in Regex.Matches(File.ReadAllText(file), @"^using (?:static )?Ripple\.Engine\.(\w+)", RegexOptions.Multiline)
            let used = use.Groups[1].Value
            where used != room && !Allowed[room].Contains(used)
            select $"{Repository.Relative(file)} uses {used}");

    private static string RoomOf(string type) => type.StartsWith(Root, StringComparison.Ordinal) ? type[Root.Length..].Split('.')[0] : string.Empty;
}
