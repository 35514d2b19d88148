using System.Diagnostics;
using System.Globalization;
using System.Text;
using Ripple.Packaging.Tests.Packing;
using Ripple.Tests.Shared.Guide;

namespace Ripple.Packaging.Tests;

/// <summary>The guide's first page, typed as it stands.</summary>
public sealed class GuideTests(PackedPackages packages)
{
    /// <summary>Files of the repository that count for every project below them.</summary>
    private static readonly string[] Inherited = ["Directory.Build.props", "Directory.Packages.props", ".editorconfig", "global.json"];

    /// <summary>In a clone, as the page itself begins: nothing of it is used by what is typed, and nothing of it is changed.</summary>
    [Fact]
    public async Task The_first_page_works_as_it_is_written_and_leaves_the_clone_as_it_was()
    {
        if (OperatingSystem.IsWindows() || !IsOnPath("bash") || !IsOnPath("curl"))
        {
            Assert.Skip("The page is for bash and curl, and they are not here.");
            return;
        }

        IReadOnlyList<GuideBlock> page = GuidePages.Blocks("five-minutes.md");
        string script = Put(string.Join('\n', page.Where(b => b.Language == "bash").Select(b => b.Text)));
        string[] expected = [.. page.Where(b => b.Language == "text").SelectMany(b => b.Lines)];
        Assert.True(expected.Length >= 5, "The page says less than it did of what is to be seen.");

        using PackageConsumer consumer = packages.NewConsumer();
        await File.WriteAllTextAsync(
            consumer.Path("page.sh"), $"set -e\ntrap 'kill $(jobs -p)' EXIT\n{script}\n", TestContext.Current.CancellationToken);
        string clone = Directory.CreateDirectory(consumer.Path("clone")).FullName;
        foreach (string file in Inherited)
        {
            File.Copy(Path.Combine(PackedPackages.Root, file), Path.Combine(clone, file));
        }

        (int exitCode, string output) = await TypeAsync(consumer, clone);
        string logs = Read(consumer, "host.log") + Read(consumer, "web.log");
        Assert.True(exitCode == 0, $"The page ended with {exitCode}.\n{output}\n{logs}");
        int from = 0;
        foreach (string line in expected)
        {
            int found = output.IndexOf(line, from, StringComparison.Ordinal);
            Assert.True(found >= 0, $"'{line}' was not seen where the page says so.\n{output}\n{logs}");
            from = found + line.Length;
        }

        Assert.Equal(Inherited.Order(), Directory.EnumerateFileSystemEntries(clone).Select(Path.GetFileName).Order());
        Assert.All(Inherited, f => Assert.Equal(
            File.ReadAllText(Path.Combine(PackedPackages.Root, f)), File.ReadAllText(Path.Combine(clone, f))));
    }

    /// <summary>The page with ports of this machine: those that it has may be in use.</summary>
    private static string Put(string script)
    {
        const string Host = "dotnet ripple-host ";
        Assert.Contains(Host, script, StringComparison.Ordinal);
        return script
            .Replace(Host, $"{Host}--listen {NewAddress()} --health {NewAddress()} ", StringComparison.Ordinal)
            .Replace("127.0.0.1:5080", NewAddress(), StringComparison.Ordinal);
    }

    private static string NewAddress() => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{TestPorts.Tcp()}");

    private async Task<(int ExitCode, string Output)> TypeAsync(PackageConsumer consumer, string folder)
    {
        var start = new ProcessStartInfo("bash", [consumer.Path("page.sh")])
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach ((string name, string value) in consumer.Environment)
        {
            start.Environment[name] = value;
        }

        start.Environment["TMPDIR"] = Directory.CreateDirectory(consumer.Path("tmp")).FullName;
        start.Environment["RIPPLE_STATE_DIRECTORY"] = consumer.Path("state");
        // The page is not about how fast the machine is.
        start.Environment["Ripple__ripple__StartupTimeout"] = "00:02:00";
        start.Environment["DOTNET_NOLOGO"] = "1";
        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1";
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0";
        start.Environment["UseSharedCompilation"] = "false";
        foreach (string variable in start.Environment.Keys.Where(
            k => k.StartsWith("MSBUILD", StringComparison.Ordinal) && k != "MSBUILDDISABLENODEREUSE" || k is "CI").ToArray())
        {
            start.Environment.Remove(variable);
        }

        using Process process = Process.Start(start)!;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(TimeSpan.FromMinutes(20));
        var output = new StringBuilder();
        try
        {
            Task reading = Task.WhenAll(
                ReadAsync(process.StandardOutput, output, limit.Token), ReadAsync(process.StandardError, output, limit.Token));
            await process.WaitForExitAsync(limit.Token);
            await reading;
        }
        catch (OperationCanceledException)
        {
            return (-1, output + "\n(it took too long)");
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }

        return (process.ExitCode, output.ToString());
    }

    private static async Task ReadAsync(StreamReader reader, StringBuilder output, CancellationToken cancellationToken)
    {
        while (await reader.ReadLineAsync(cancellationToken) is { } line)
        {
            lock (output)
            {
                output.Append(line).Append('\n');
            }
        }
    }

    private static string Read(PackageConsumer consumer, string log) =>
        string.Concat(Directory.EnumerateFiles(consumer.Path("tmp"), log, SearchOption.AllDirectories)
            .Select(path => $"== {log}\n{File.ReadAllText(path)}"));

    private static bool IsOnPath(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Any(
            folder => folder.Length > 0 && File.Exists(Path.Combine(folder, program)));
}
