using Ripple.Mutants.Drawing;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Sources;

namespace Ripple.Mutants.Tests.Drawing;

public sealed class DrawTests
{
    private static readonly DrawHead Head = new(1, "commit", PerRoom: 2);
    private static readonly MutantList Before = MutantList.Load(Repository.FindRoot());
    private static readonly string[] Rooms = [.. Before.Rooms.Take(2).Select(r => r.Name)];
    private static readonly Mutant[] Old = [.. Rooms.Select(r => TestMutant.Of("old line", $"other of {r}", $"{r}-old", r))];
    private static readonly Mutant[] Candidates =
    [
        .. from room in Rooms
           from line in Enumerable.Range(0, 5)
           select TestMutant.Of($"line {line}", "other", $"{room}-{line}", room),
    ];

    [Fact]
    public void All_rooms_are_drawn_anew()
    {
        List<Mutant> drawn = Draw.Take(Before.With(Old), Candidates, [], Head, room: null);

        Assert.Equal(4, drawn.Count);
        Assert.Empty(drawn.Intersect(Old));
    }

    [Fact]
    public void A_room_that_is_drawn_alone_leaves_the_others_as_they_are()
    {
        List<Mutant> drawn = Draw.Take(Before.With(Old), Candidates, [], Head, Rooms[1]);

        Assert.Equal(Old[0], drawn[0]);
        Assert.Equal([Rooms[1], Rooms[1]], drawn.Skip(1).Select(m => m.Room));
        Assert.DoesNotContain(Old[1], drawn);
    }
}
