namespace Ripple.Architecture.Tests;

/// <summary>The checker of rooms itself, on a made-up project.</summary>
public sealed class RoomOrderTests
{
    private static readonly RoomOrder Order = new RoomOrder("House", ["cellar"], ["Kitchen", "Hall"], ["Hall.Stairs"], ["roof"])
        .WithTypes("cellar", "Stone")
        .WithTypes("roof", "Tile");

    [Theory]
    [InlineData("House.Kitchen.Oven", "House.Stone")]
    [InlineData("House.Kitchen.Oven", "House.Kitchen.Grill.Spit")]
    [InlineData("House.Hall.Stairs.Step", "House.Hall.Floor")]
    [InlineData("House.Tile", "House.Hall.Stairs.Rails.Rail")]
    [InlineData("House.Stone", "Houseboat.Kitchen.Oven")]
    public void An_arrow_down_or_within_a_room_is_allowed(string user, string used) =>
        Assert.Empty(Order.Violations([(user, used)]));

    [Theory]
    [InlineData("House.Stone", "House.Kitchen.Oven")]
    [InlineData("House.Kitchen.Oven", "House.Hall.Floor")]
    [InlineData("House.Hall.Floor", "House.Hall.Stairs.Step")]
    [InlineData("House.Hall.Floor", "House.Tile")]
    [InlineData("House.Kitchen.Oven", "House.Attic.Box")]
    [InlineData("House.Attic.Box", "House.Stone")]
    [InlineData("House.Tile", "House.Gutter")]
    public void An_arrow_up_or_aside_or_from_or_to_nowhere_is_a_violation(string user, string used) =>
        Assert.Contains(user, Assert.Single(Order.Violations([(user, used)])), StringComparison.Ordinal);

    [Fact]
    public void Types_without_room_rooms_without_type_and_names_of_nothing_are_misfits()
    {
        string[] misfits = [.. Order.Misfits(["House.Stone", "House.Kitchen.Oven", "House.Hall.Floor", "House.Attic.Box", "Other.Thing"])];

        Assert.Equal(4, misfits.Length);
        Assert.Contains(misfits, m => m.StartsWith("House.Attic.Box", StringComparison.Ordinal));
        Assert.Contains(misfits, m => m.Contains("'Hall.Stairs'", StringComparison.Ordinal));
        Assert.Contains(misfits, m => m.Contains("'roof'", StringComparison.Ordinal));
        Assert.Contains(misfits, m => m.StartsWith("House.Tile", StringComparison.Ordinal));
    }

    [Fact]
    public void A_type_is_placed_only_in_a_room_of_the_order() =>
        Assert.Throws<ArgumentException>(() => new RoomOrder("House", ["Hall"]).WithTypes("Attic", "Box"));

    [Theory]
    [InlineData("using House.Hall;", "House.Hall")]
    [InlineData("using static House.Hall.Floor;", "House.Hall.Floor")]
    [InlineData("using Door = House.Hall.Door;", "House.Hall.Door")]
    [InlineData("global using House.Hall;", "House.Hall")]
    public void Every_form_of_using_is_seen(string source, string name) => Assert.Equal([name], UsingUse.In(source));
}
