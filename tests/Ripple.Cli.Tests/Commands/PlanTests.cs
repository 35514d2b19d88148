using Ripple.Cli.Tests.Hosting;
using Ripple.Client;

namespace Ripple.Cli.Tests.Commands;

/// <summary>What a dry run and a predicate say of nodes that are there.</summary>
public sealed class PlanTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task A_dry_run_names_who_rejects_what_is_there_and_will_take_no_other_key_either()
    {
        string application = await ApplicationAsync("1");
        await using RippleClient strict = await Host.JoinAsync(
            application, "strict", release => release.Values.ContainsKey("bad") ? "it says bad" : null);
        await using RippleClient other = await Host.JoinAsync(application, "other");
        Assert.Equal(3, (await RunAsync("publish", application, "--text", "bad=1", "--wait")).Code);

        string[] lines = (await RunAsync("publish", application, "--text", "b=1", "--dry-run")).Done().Lines;

        int told = Array.FindIndex(lines, l => l.StartsWith("1 node rejects release 2, and none of its keys", StringComparison.Ordinal));
        Assert.True(told > 0, string.Join('\n', lines));
        Assert.Equal(["strict", "it says bad"], [lines[told + 2].Split(' ')[0], lines[told + 2][^11..]]);
        (await RunAsync("publish", application, "--remove", "bad", "--wait")).Done();
        Assert.DoesNotContain("reject", (await RunAsync("publish", application, "--text", "b=1", "--dry-run")).Done().Output,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nodes_are_selected_by_the_name_of_their_host()
    {
        string application = await ApplicationAsync("1");
        await using RippleClient node = await Host.JoinAsync(application, "web-1");

        CliRun held = (await RunAsync("publish", application, "--text", "b=1", "--wait", "MIN($HOME(\"host-1\").applied)")).Done();

        Assert.Contains("held: release 2", held.Output, StringComparison.Ordinal);
    }
}
