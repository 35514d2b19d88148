using Ripple.Mutants.Running;

namespace Ripple.Mutants.Tests.Running;

public sealed class SoundRunsTests
{
    [Fact]
    public void What_is_found_as_early_without_a_mutant_says_nothing_about_it()
    {
        var found = new Dictionary<string, ulong> { ["Waits"] = 5, ["States"] = 7, ["Views"] = 9, ["Bounds"] = 3 };
        var without = new Dictionary<string, ulong> { ["Waits"] = 5, ["States"] = 8, ["Bounds"] = 2 };

        IReadOnlyDictionary<string, ulong> beyond = SoundRuns.Beyond(found, without);

        Assert.Equal(["States", "Views"], beyond.Keys.Order());
    }
}
