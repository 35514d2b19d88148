using System.Text.RegularExpressions;
using Ripple.PowerShell.Tests.Module;

namespace Ripple.PowerShell.Tests.RealHost;

/// <summary>The module as it is laid out, in PowerShell itself.</summary>
public sealed class ScriptTests
{
    private static readonly string ScriptPath = Path.Combine(AppContext.BaseDirectory, "Scripts", "Module.Tests.ps1");

    [Fact]
    public async Task Module_does_in_PowerShell_what_it_does_here()
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(TimeSpan.FromMinutes(15));
        await using RealCluster cluster = await RealCluster.StartAsync(limit.Token);
        (string output, int exitCode) = await RealPowerShell.RunAsync(
            ScriptPath,
            [
                "-Module",
                Path.Combine(BuiltModule.Folder, "Ripple.psd1"),
                "-Connection",
                cluster.AdminConnection,
                "-Foreign",
                Path.Combine(AppContext.BaseDirectory, "Ripple.Trust.dll"),
            ],
            limit.Token);

        Assert.True(exitCode == 0, output);
        Assert.Matches(@"(?m)^\d{2} passed, 0 failed\r?$", output);
        Assert.Matches(
            @"What if: Publish to shop on cluster [0-9a-f]{8} \(.+\), expecting release 0: a.json added; reaches 2 nodes: web-1", output);
        Assert.Matches(@"What if: Set /max of limits.json of shop on cluster .+: 5 -> 7; reaches 2 nodes: web-1", output);
        Assert.Matches("What if: Take the role in fresh from the token .+, with which end node of fresh", output);
    }

    /// <summary>
    /// What can be said of the script without running it: it uses cmdlets and parameters that there are, and ids that are documented.
    /// </summary>
    [Fact]
    public void Script_uses_every_cmdlet_and_nothing_that_is_not_there()
    {
        string script = File.ReadAllText(ScriptPath);
        string[] used = [.. Regex.Matches(script, @"\b[A-Z]\w+-Ripple\w*").Select(m => m.Value).Distinct().Order(StringComparer.Ordinal)];
        string about = BuiltModule.Read("en-US/about_Ripple.help.txt");

        Assert.Equal(BuiltModule.Cmdlets.Keys, used);
        Assert.All(
            Regex.Matches(script, @"'(Ripple\.[a-z_]+)'"), m => Assert.Contains(m.Groups[1].Value + " ", about, StringComparison.Ordinal));
        Assert.Equal(
            Regex.Count(script, @"(?m)^Check '"),
            Regex.Matches(script, @"(?m)^Check '([^']+)'").Select(m => m.Groups[1].Value).Distinct().Count());
    }
}
