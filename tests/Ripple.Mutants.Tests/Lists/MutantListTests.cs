using Ripple.Mutants.Drawing;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Planted;
using Ripple.Mutants.Sources;

namespace Ripple.Mutants.Tests.Lists;

/// <summary>
/// What the list says of itself. Whether an entry's line is still in the sources is told by whoever plants it, and fails nothing: a change
/// of the product must not wait for a list.
/// </summary>
public sealed class MutantListTests
{
    private const int PerRoomMin = 6;
    private const int DrawnMin = 120;
    private const int WrittenMin = 30;
    private const int PerClassMax = 3;
    private static readonly string Root = Repository.FindRoot();
    private static readonly MutantList List = MutantList.Load(Root);

    private static List<Mutant> Drawn => [.. List.Mutants.Where(m => !m.IsWritten)];

    private static List<Mutant> Written => [.. List.Mutants.Where(m => m.IsWritten)];

    [Fact]
    public void Names_are_unique_and_changes_are_changes()
    {
        Assert.Equal(List.Mutants.Count, List.Mutants.Select(m => m.Id).Distinct().Count());
        Assert.Equal(List.Mutants.Count, List.Mutants.Select(m => (m.File, m.Line, m.Becomes)).Distinct().Count());
        Assert.DoesNotContain(List.Mutants, m => m.Line == m.Becomes);
    }

    [Fact]
    public void Every_mutant_is_in_the_room_of_its_file() => Assert.All(
        List.Mutants.Where(m => File.Exists(Path.Combine(Root, m.File))),
        m => Assert.True(List.RoomOf(m.File)?.Name == m.Room, $"{m.Id} is not in {m.Room}: {m.File}"));

    [Fact]
    public void Every_room_has_mutants_and_there_are_enough_of_them()
    {
        Assert.All(List.Rooms, r => Assert.True(
            Drawn.Count(m => m.Room == r.Name) >= PerRoomMin, $"{r.Name} has fewer than {PerRoomMin} drawn mutants"));
        Assert.True(Drawn.Count >= DrawnMin, $"only {Drawn.Count} are drawn");
        Assert.True(Written.Count >= WrittenMin, $"only {Written.Count} are written");
    }

    [Fact]
    public void Written_ones_are_of_many_kinds_and_in_many_files()
    {
        Assert.All(Written.GroupBy(m => m.Class), g => Assert.True(g.Count() <= PerClassMax, $"{g.Count()} mutants of kind {g.Key}"));
        Assert.All(Written.GroupBy(m => m.File), g => Assert.True(g.Count() <= PerClassMax, $"{g.Count()} written mutants in {g.Key}"));
    }

    [Fact]
    public void Written_ones_say_what_they_break_and_what_should_find_it() => Assert.All(Written, m =>
    {
        Assert.False(string.IsNullOrWhiteSpace(m.Breaks));
        Assert.False(string.IsNullOrWhiteSpace(m.Checker));
        Assert.InRange(m.Seeds, 1, PlantedRun.SeedsMax);
        Assert.True(List.RoomOf(m).IsSimulated, $"{m.Id} is in {m.Room}, which the simulator does not run");
    });

    [Fact]
    public void Drawn_ones_have_the_names_that_the_seed_gives_them()
    {
        Assert.NotNull(List.Head);
        Assert.All(Drawn, m => Assert.Equal(DrawOrder.IdOf(List.Head.Seed, m.Room, m.File, m.Line, m.Becomes), m.Id));
        Assert.All(Drawn, m => Assert.Contains(MutationOperators.All, o => o.Name == m.Class));
    }

    [Fact]
    public void What_is_left_out_is_not_drawn_and_has_its_reason()
    {
        List<Exclusion> excluded = MutantList.Exclusions(Root);
        Assert.Empty(excluded.Select(e => (e.File, e.Line, e.Becomes)).Intersect(Drawn.Select(m => (m.File, m.Line, m.Becomes))));
        Assert.All(excluded, e => Assert.Matches("^(does not compile|equal): .{10,}", e.Reason));
    }

    [Fact]
    public void Rooms_name_folders_and_projects_that_exist()
    {
        Assert.All(List.Rooms.SelectMany(r => r.Folders), f => Assert.True(Directory.Exists(Path.Combine(Root, f)), f));
        Assert.All(
            List.Rooms.SelectMany(r => r.Then.Prepend(r.Tests)),
            p => Assert.True(File.Exists(Path.Combine(Root, "tests", p, p + ".csproj")), p));
        Assert.All(
            List.Rooms.SelectMany(r => r.First.Select(n => r.Tests + n[r.Tests.Length..].Replace('.', '/'))),
            f => Assert.True(Directory.Exists(Path.Combine(Root, "tests", f)), f));
    }
}
