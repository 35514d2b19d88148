using System.Diagnostics;
using System.Text.Json;
using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;
using Ripple.Simulation.Timelines;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Tests.Timelines;

public class TimelineTests
{
    private const string Hostile = "</script><script>alert(1)</script><!-- & ' \" \u2028";

    [Fact]
    public void The_page_contains_the_data_of_the_run()
    {
        TraceLog trace = TraceOf(out RunResult result);
        string page = TimelinePage.Of(new Timeline(trace, result, "seed 4"));
        JsonElement data = DataOf(page);
        Assert.Equal("seed 4", data.GetProperty("title").GetString());
        Assert.Equal(trace.Events.Count, data.GetProperty("events").GetArrayLength());
        Assert.Equal(trace.Messages.Count, data.GetProperty("messages").GetArrayLength());
        Assert.Equal(6, data.GetProperty("machines").GetArrayLength());
        Assert.True(data.GetProperty("releases").GetArrayLength() > 2);
        Assert.Equal(result.SimulatedNs / 1_000.0, data.GetProperty("end_us").GetDouble());
        JsonElement committed = data.GetProperty("events").EnumerateArray().First(e => KindOf(data, e) == nameof(TraceKind.Committed));
        int release = committed[4].GetInt32();
        Assert.Contains(
            data.GetProperty("releases")[release].GetProperty("label").GetString()!, committed[5].GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Text_of_the_run_cannot_leave_its_element_of_the_page()
    {
        TraceLog trace = HostileTrace(out RunResult result);
        string page = TimelinePage.Of(new Timeline(trace, result, Hostile));
        Assert.Equal(2, page.Split("</script").Length - 1);
        Assert.DoesNotContain("alert(1)</", page, StringComparison.Ordinal);
        JsonElement data = DataOf(page);
        Assert.Equal(Hostile, data.GetProperty("title").GetString());
        Assert.Contains(Hostile, data.GetProperty("violation").GetString(), StringComparison.Ordinal);
        Assert.Contains(data.GetProperty("events").EnumerateArray(), e => e[5].GetString() == Hostile);
        Assert.DoesNotContain("innerHTML", page, StringComparison.Ordinal);
    }

    [Fact]
    public void The_page_asks_for_nothing_from_elsewhere()
    {
        TraceLog trace = HostileTrace(out RunResult result);
        string page = TimelinePage.Of(new Timeline(trace, result, "t"));
        foreach (string word in (string[])["http:", "https:", " src=", " href=", "@import", "fetch(", "url(", "XMLHttpRequest", "import("])
        {
            Assert.DoesNotContain(word, page, StringComparison.Ordinal);
        }

        Assert.Contains("default-src 'none'", page, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_has_a_line_for_the_run_each_event_and_each_message_and_a_page_beside()
    {
        TraceLog trace = TraceOf(out RunResult result);
        string folder = Directory.CreateTempSubdirectory("timeline").FullName;
        try
        {
            string path = Path.Combine(folder, "run.jsonl");
            var timeline = new Timeline(trace, result, "seed 4");
            Assert.Equal([path, path + ".html"], TraceFile.Write(path, timeline));
            string[] lines = File.ReadAllLines(path);
            Assert.Equal(1 + trace.Events.Count + trace.Messages.Count, lines.Length);
            List<JsonElement> json = [.. lines.Select(l => JsonDocument.Parse(l).RootElement)];
            Assert.Equal(4, json[0].GetProperty("seed").GetInt32());
            Assert.Equal(trace.Events[^1].Text, json[trace.Events.Count].GetProperty("text").GetString());
            Assert.True(json[^1].GetProperty("bytes").GetInt32() > 0);
            Assert.Equal([path + ".html"], TraceFile.Write(path + ".html", timeline));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void A_browser_draws_the_page()
    {
        string? browser = ((string[])["chromium", "chromium-browser", "google-chrome"])
            .SelectMany(n => (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator).Select(p => Path.Combine(p, n)))
            .FirstOrDefault(File.Exists);
        Assert.SkipWhen(browser is null, "There is no Chromium on the path to draw the page with.");
        TraceLog trace = TraceOf(out RunResult result);
        string folder = Directory.CreateTempSubdirectory("timeline").FullName;
        try
        {
            string page = Path.Combine(folder, "run.html");
            TraceFile.Write(page, new Timeline(trace, result, "drawn"));
            var start = new ProcessStartInfo(
                browser!, ["--headless", "--no-sandbox", "--disable-gpu", $"--user-data-dir={folder}", "--dump-dom", "file://" + page])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            using Process process = Process.Start(start)!;
            string dom = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            Assert.Contains("<title>drawn</title>", dom, StringComparison.Ordinal);
            Assert.Contains("client3", dom.Split("id=\"data\"")[0], StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static TraceLog TraceOf(out RunResult result)
    {
        var trace = new TraceLog { HasMessages = true };
        result = new SeedRun(new HostScenario(), 4, new ScenarioOptions { Seconds = 10, Nodes = 4 }).Run(trace);
        return trace;
    }

    private static TraceLog HostileTrace(out RunResult result)
    {
        var trace = new TraceLog();
        var world = new SimulatedWorld(1, new WorldOptions { Trace = trace });
        SimulatedMachine machine = world.AddNode("a" + Hostile);
        trace.Add(TraceKind.Noted, machine, Hostile, new ReleaseLabel(1, 1, Hostile));
        result = RunResult.Of(world, null, 0, 0) with { Violation = "Bad: " + Hostile, Checker = "Bad" };
        return trace;
    }

    private static string? KindOf(JsonElement data, JsonElement happened) => data.GetProperty("kinds")[happened[2].GetInt32()].GetString();

    private static JsonElement DataOf(string page)
    {
        const string Begin = "<script type=\"application/json\" id=\"data\">";
        int start = page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        return JsonDocument.Parse(page[start..page.IndexOf("</script>", start, StringComparison.Ordinal)]).RootElement;
    }
}
