using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Ripple.Cli.Tests.Commands;
using Ripple.Cli.Tests.Git;
using Ripple.Cli.Tests.Hosting;
using Ripple.Client;

namespace Ripple.Cli.Tests.Processes;

/// <summary>The program as its users start it.</summary>
public sealed class CliProcessTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task Program_publishes_from_standard_input_and_gives_the_bytes_back()
    {
        string application = await ApplicationAsync();
        byte[] bytes = [0, 13, 10, 255, 27];

        using (Process publish = CliProcess.Start(Host.AdminConnection, "publish", application, "k=-", "--output", "json"))
        {
            await publish.StandardInput.BaseStream.WriteAsync(bytes, TestContext.Current.CancellationToken);
            publish.StandardInput.Close();
            Assert.Equal(1, (await CliProcess.EndAsync(publish)).Done().Json.GetProperty("published").GetProperty("release").GetInt32());
        }

        Assert.Equal(bytes, (await CliProcess.RunAsync(Host.AdminConnection, "get", application, "k")).Done().OutputBytes);
        Assert.Equal(2, (await CliProcess.RunAsync(Host.AdminConnection, "get", application, "none")).Code);
        Assert.Equal(1, (await CliProcess.RunAsync(Host.AdminConnection, "bogus")).Code);
        Assert.Contains("Usage:", (await CliProcess.RunAsync(Host.AdminConnection, "--help")).Done().Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Import_that_is_killed_again_and_again_releases_nothing_twice()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGKILL on Windows.");
        string application = await ApplicationAsync();
        GitRepo repo = new(Folder.PathOf("repo"));
        List<GitVersion> versions = GitVersion.Make(repo, "app.json", 200);
        string[] command = ["import", "--git", repo.Path, "--path", "app.json", "--app", application];
        int kills = 0;

        foreach (int at in (int[])[1, 25, 60, 110])
        {
            using Process process = CliProcess.Start(Host.AdminConnection, command);
            process.StandardInput.Close();
            while (await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken) is { } line)
            {
                if (int.Parse(line.Split(' ')[0], CultureInfo.InvariantCulture) >= at)
                {
                    // The next one is on its way: its answer, or the release itself, is what gets lost.
                    process.Kill();
                    kills++;
                    break;
                }
            }

            await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        }

        JsonElement last = (await CliProcess.RunAsync(Host.AdminConnection, [.. command, "--output", "json"])).Done().Json;

        // On a very busy machine the last ones may be too late for what is read.
        Assert.InRange(kills, 2, 4);
        Assert.InRange(last.GetProperty("resumed").GetInt32(), 25, 200);
        Assert.Equal(
            200,
            last.GetProperty("resumed").GetInt32() + last.GetProperty("released").GetInt32() + last.GetProperty("unchanged").GetInt32());
        await GitVersion.CheckAsync(Cli, application, "app.json", versions);
    }

    [Fact]
    public async Task Interrupt_ends_it_with_130()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGINT on Windows.");
        Assert.SkipWhen(
            IsInterruptIgnored(),
            "SIGINT is ignored here, and so in all that is started from here: a shell does that to what it starts in the background.");
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

        using Process process = CliProcess.Start(Host.AdminConnection, "wait", application, "2");
        process.StandardInput.Close();
        string? line = await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken);
        using (Process kill = Process.Start("kill", ["-INT", process.Id.ToString(CultureInfo.InvariantCulture)]))
        {
            await kill.WaitForExitAsync(TestContext.Current.CancellationToken);
        }

        CliRun run = await CliProcess.EndAsync(process);
        gate.Set();

        Assert.Equal("0 of 1 have release 2", line);
        Assert.Equal(130, run.Code);
        Assert.Contains("Cancelled", run.Error, StringComparison.Ordinal);
    }

    private static bool IsInterruptIgnored()
    {
        const string Status = "/proc/self/status";
        const string Ignored = "SigIgn:";
        const ulong Interrupt = 1 << 1;
        return File.Exists(Status)
            && File.ReadLines(Status).FirstOrDefault(l => l.StartsWith(Ignored, StringComparison.Ordinal)) is { } line
            && (ulong.Parse(
                line.AsSpan(Ignored.Length).Trim(), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture) & Interrupt) != 0;
    }
}
