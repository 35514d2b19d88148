using System.Globalization;
using System.Text.Json;

namespace Ripple.Samples.Tests;

/// <summary>The quickstart keeps its promises; it checks what it claims, and its exit code says so.</summary>
public sealed class QuickstartTests : IDisposable
{
    private const string Skipped = "Processes are looked up in /proc, which only Linux has.";

    private readonly CancellationTokenSource _limit =
        CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);

    // Longer than the program's own limits: what it says when it gives up is seen.
    public QuickstartTests() => _limit.CancelAfter(TimeSpan.FromMinutes(12));

    private CancellationToken Token => _limit.Token;

    public void Dispose() => _limit.Dispose();

    [Fact]
    public async Task Quickstart_brings_a_history_to_every_node_without_a_wrong_byte()
    {
        string file = Path.Combine(Directory.CreateTempSubdirectory("ripple-history-").FullName, "settings.json.jsonl");
        string[] lines = [.. Enumerable.Range(1, 12).Select(
            n => JsonSerializer.Serialize(new { n, time = "2025-01-01T00:00:00Z", content = Version(n) }))];
        await File.WriteAllLinesAsync(file, lines, Token);
        using var program = SampleProgram.Start("Quickstart", [], "--history", file);

        int exitCode = await program.EndAsync(Token);

        Directory.Delete(Path.GetDirectoryName(file)!, recursive: true);
        Assert.True(exitCode == 0, program.Output);
        Assert.Matches("^releases=12 nodes=52 superseded=[0-9]+ lost=0 mismatched=0$", program.LastLine);
    }

    [Fact]
    public async Task Quickstart_refuses_a_history_it_cannot_read()
    {
        using var program = SampleProgram.Start("Quickstart", [], "--history", "no-such-file.jsonl");

        Assert.Equal(1, await program.EndAsync(Token));
        Assert.Contains("There is no file 'no-such-file.jsonl'", program.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Node_processes_die_with_a_killed_quickstart()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), Skipped);
        using var program = SampleProgram.Start("Quickstart", [], "--stay");
        await program.SaysAsync("The cluster runs until Ctrl-C", Token);
        int[] children = ChildrenOf(program.ProcessId);
        Assert.Equal(4, children.Length);

        program.Kill();

        while (children.Any(c => Directory.Exists($"/proc/{c}")))
        {
            await Task.Delay(50, Token);
        }

        string line = program.Output.Split('\n').First(l => l.StartsWith("The cluster runs", StringComparison.Ordinal));
        Directory.Delete(line[(line.LastIndexOf(": ", StringComparison.Ordinal) + 2)..].Trim(), recursive: true);
    }

    private static string Version(int n) =>
        $"{{\n  // Version {n.ToString(CultureInfo.InvariantCulture)}: \u00fc, \ud83c\udf0a.\n  \"n\": {n}\n}}{new string('\n', n % 3)}";

    /// <summary>A child is listed under the thread that started it.</summary>
    private static int[] ChildrenOf(int parent) =>
    [
        .. Directory.GetDirectories($"/proc/{parent}/task")
            .SelectMany(thread => File.ReadAllText($"{thread}/children").Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(child => int.Parse(child, CultureInfo.InvariantCulture)),
    ];
}
