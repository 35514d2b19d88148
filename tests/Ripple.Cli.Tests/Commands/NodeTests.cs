using System.Text.Json;
using System.Text.RegularExpressions;
using Ripple.Cli.Tests.Hosting;
using Ripple.Client;

namespace Ripple.Cli.Tests.Commands;

public sealed class NodeTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task Nodes_are_listed_with_how_far_they_are()
    {
        string application = await ApplicationAsync("1");
        await using RippleClient good = await Host.JoinAsync(application, "web-1");
        await using RippleClient bad = await Host.JoinAsync(application, "web-2", r => r.Release > 1 ? "too late" : null);
        (await RunAsync("who-has", application, "1", "--watch")).Done();
        Assert.Equal(3, (await RunAsync("publish", application, "--text", "a=2", "--wait")).Code);

        CliRun text = (await RunAsync("nodes", application)).Done();
        JsonElement json = (await RunAsync("nodes", application, "-o", "json")).Done().Json;
        JsonElement behind = (await RunAsync("nodes", application, "--behind", "-o", "json")).Done().Json;

        Assert.StartsWith("NODE ", text.Lines[0], StringComparison.Ordinal);
        Assert.StartsWith("web-1 ", text.Lines[1], StringComparison.Ordinal);
        Assert.Contains("present", text.Lines[1], StringComparison.Ordinal);
        Assert.Contains("too late", text.Lines[2], StringComparison.Ordinal);
        Assert.Equal(["web-1", "web-2"], json.EnumerateArray().Select(n => n.GetProperty("name").GetString()));
        Assert.Equal("web-2", Assert.Single(behind.EnumerateArray()).GetProperty("name").GetString());
        Assert.Empty((await RunAsync("nodes", application, "--behind", "--release", "1", "-o", "json")).Done().Json.EnumerateArray());
        (await RunAsync("nodes", application, "--release", "1")).Failed(1, "--behind");
    }

    [Fact]
    public async Task Who_has_names_those_that_rejected_it_with_their_reasons()
    {
        string application = await ApplicationAsync("1");
        await using RippleClient good = await Host.JoinAsync(application, "web-1");
        await using RippleClient bad = await Host.JoinAsync(application, "web-2", r => r.Release > 1 ? "Port must be 1 to 65535" : null);
        (await RunAsync("who-has", application, "1", "--watch")).Done();
        Assert.Equal(3, (await RunAsync("publish", application, "--text", "a=2", "--wait")).Code);

        CliRun text = (await RunAsync("who-has", application)).Done();
        CliRun watched = await RunAsync("who-has", application, "2", "--watch");
        JsonElement json = (await RunAsync("who-has", application, "-o", "json")).Done().Json;

        Assert.Equal($"1 of 2 have {application} release 2:", text.Lines[0]);
        // What it received, and what is in effect there.
        Assert.Contains(text.Lines, l => Regex.IsMatch(l, @"^rejected +web-2 +\S+ +2 +1 +\S+ +Port must be 1 to 65535"));
        Assert.Equal(3, watched.Code);
        Assert.Equal($"1 of 2 have {application} release 2, 1 rejected it", watched.Lines[^3]);
        Assert.Equal(1, json.GetProperty("holding").GetInt32());
        Assert.Equal("Port must be 1 to 65535", json.GetProperty("rejected")[0].GetProperty("reason").GetString());
        Assert.Equal($"2 of 2 have {application} release 1", Assert.Single((await RunAsync("who-has", application, "1")).Done().Lines));
        (await RunAsync("who-has", application, "9")).Failed(2, "no release 9; the newest is 2");
        (await RunAsync("who-has", await ApplicationAsync())).Failed(2, "no release yet");
    }

    [Fact]
    public async Task Watch_goes_on_until_all_have_it_and_tells_lines_where_there_is_no_terminal()
    {
        string application = await ApplicationAsync("1");
        using var gate = new ManualResetEventSlim();
        await using RippleClient fast = await Host.JoinAsync(application, "web-1");
        await using RippleClient slow = await Host.JoinAsync(application, "web-2", r =>
        {
            if (r.Release == 2)
            {
                gate.Wait(CliHost.Patience);
            }

            return null;
        });
        (await RunAsync("publish", application, "--text", "a=2", "--wait", "KTH_MAX(1, $ALL.applied)")).Done();

        CliRun early = await RunAsync("who-has", application, "--watch", "--timeout", "1");
        Task<CliRun> watching = RunAsync("who-has", application, "--watch");
        gate.Set();
        CliRun text = (await watching).Done();

        Assert.Equal(3, early.Code);
        Assert.Equal($"1 of 2 have {application} release 2, 1 behind", early.Lines[0]);
        Assert.Contains(early.Lines, l => l.StartsWith("behind  web-2", StringComparison.Ordinal));
        Assert.Equal($"2 of 2 have {application} release 2", text.Lines[^1]);
        Assert.DoesNotContain('\u001b', text.Output);
    }

    [Fact]
    public async Task Where_no_node_is_a_watch_proves_nothing()
    {
        string application = await ApplicationAsync("1");

        CliRun watched = await RunAsync("who-has", application, "--watch");
        CliRun looked = (await RunAsync("who-has", application)).Done();

        string line = $"0 of 0 have {application} release 1: no node that takes it is there now";
        Assert.Equal((3, line), (watched.Code, Assert.Single(watched.Lines)));
        Assert.Equal(line, Assert.Single(looked.Lines));
    }

    [Fact]
    public async Task On_a_terminal_a_bar_fills_in_place()
    {
        string application = await ApplicationAsync("1");
        await using RippleClient node = await Host.JoinAsync(application, "web-1");
        Cli.IsTerminal = true;

        CliRun watched = (await RunAsync("who-has", application, "--watch")).Done();
        CliRun published = (await RunAsync("publish", application, "--text", "a=2", "--wait")).Done();
        CliRun json = (await RunAsync("who-has", application, "--watch", "--output", "json")).Done();

        Assert.Contains("1 of 1 have", watched.Output, StringComparison.Ordinal);
        Assert.True(
            watched.Output.Contains("██████████", StringComparison.Ordinal)
                || watched.Output.Contains("##########", StringComparison.Ordinal),
            watched.Output);
        Assert.Contains('\u001b', watched.Output);
        Assert.EndsWith($"1 of 1 have {application} release 1\n", watched.Output, StringComparison.Ordinal);
        Assert.Contains($"held: release 2 of {application}, 1 member", published.Output, StringComparison.Ordinal);
        Assert.Equal(1, json.Json.GetProperty("holding").GetInt32());
    }

    [Fact]
    public async Task Wait_that_is_not_held_in_time_ends_with_3_and_names_who_is_behind()
    {
        string application = await ApplicationAsync("1");
        using var gate = new ManualResetEventSlim();
        await using RippleClient slow = await Host.JoinAsync(application, "web-1", r =>
        {
            if (r.Release == 2)
            {
                gate.Wait(CliHost.Patience);
            }

            return null;
        });
        (await RunAsync("publish", application, "--text", "a=2")).Done();

        CliRun text = await RunAsync("wait", application, "2", "--timeout", "1");
        CliRun json = await RunAsync("wait", application, "2", "MIN($ALL.applied)", "--timeout", "1", "-o", "json");
        gate.Set();
        CliRun held = (await RunAsync("wait", application, "1/2")).Done();

        Assert.Equal(3, text.Code);
        Assert.Contains(text.Lines, l => l.StartsWith($"not held in time: release 2 of {application}", StringComparison.Ordinal));
        Assert.Contains(text.Lines, l => l.Contains("web-1", StringComparison.Ordinal));
        Assert.Equal(3, json.Code);
        Assert.Equal("timed_out", json.Json.GetProperty("outcome").GetString());
        Assert.Equal($"held: release 2 of {application}, 1 member", held.Lines[^1]);
        (await RunAsync("wait", application, "2", "MIN(")).Failed(2);
    }

    [Fact]
    public async Task Cancelled_command_ends_with_130()
    {
        string application = await ApplicationAsync("1");
        using var gate = new ManualResetEventSlim();
        await using RippleClient slow = await Host.JoinAsync(application, "web-1", r =>
        {
            if (r.Release == 2)
            {
                gate.Wait(CliHost.Patience);
            }

            return null;
        });
        (await RunAsync("publish", application, "--text", "a=2")).Done();
        using var stop = new CancellationTokenSource();

        Task<CliRun> waiting = Cli.RunAsync(stop.Token, "wait", application, "2");
        await stop.CancelAsync();
        CliRun run = await waiting;
        gate.Set();

        Assert.Equal(130, run.Code);
        Assert.Contains("Cancelled", run.Error, StringComparison.Ordinal);
    }
}
