namespace Ripple.Engine.Tests.Frontier;

public sealed class PredicateGuideTests
{
    [Fact]
    public void Every_example_of_the_guide_parses()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "Ripple.sln")))
        {
            folder = folder.Parent;
        }

        if (folder is null)
        {
            Assert.Skip("The tests do not run inside a source tree, so the guide is not there.");
        }

        int parsed = 0;
        bool isExample = false;
        foreach (string line in File.ReadLines(Path.Combine(folder.FullName, "docs", "guide", "predicates.md")))
        {
            if (line.StartsWith("```", StringComparison.Ordinal))
            {
                isExample = line == "```predicate";
            }
            else if (isExample)
            {
                Tables.Parse(line);
                parsed++;
            }
        }

        Assert.True(parsed >= 15, $"only {parsed} examples were found");
    }
}
