using System.Text.Json;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Planted;

namespace Ripple.Mutants.Tests.Planted;

public sealed class PlantedTotalsTests
{
    [Fact]
    public void Late_is_another_checker_or_too_many_seeds_and_what_is_marked_may_be_missed()
    {
        Mutant mutant = TestMutant.Of("a", "b") with { Scenario = "host", Checker = "States", Seeds = 20 };
        var totals = new PlantedTotals(["of a line that is gone"]);

        totals.Add(mutant with { Id = "in time" }, "States", 20);
        totals.Add(mutant with { Id = "too late" }, "States", 21);
        totals.Add(mutant with { Id = "another" }, "Views", 2);
        totals.Add(mutant with { Id = "never" }, null, 0);
        totals.Add(mutant with { Id = "not yet", Missing = "a checker" }, null, 0);

        JsonElement json = JsonDocument.Parse(totals.ToJson()).RootElement;
        Assert.Equal(5, json.GetProperty("planted").GetInt32());
        Assert.Equal(1, json.GetProperty("found").GetInt32());
        Assert.Equal(2, json.GetProperty("late").GetInt32());
        Assert.Equal(2, json.GetProperty("missed").GetInt32());
        Assert.Equal(3, totals.Wrong);
        Assert.Equal("of a line that is gone", Assert.Single(json.GetProperty("gone").EnumerateArray()).GetString());
        Assert.Equal(JsonValueKind.Null, json.GetProperty("found_at_seed").GetProperty("never").ValueKind);
    }
}
