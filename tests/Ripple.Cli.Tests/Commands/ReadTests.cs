using System.Text.Json;
using Ripple.Cli.Tests.Hosting;

namespace Ripple.Cli.Tests.Commands;

public sealed class ReadTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task Get_writes_the_bytes_of_any_release()
    {
        string application = await ApplicationAsync("1", "2");
        byte[] bytes = [0, 255, 13, 10, 27];
        (await RunAsync("publish", application, $"bytes={Folder.File("b", bytes)}")).Done();

        Assert.Equal(bytes, (await RunAsync("get", application, "bytes")).Done().OutputBytes);
        Assert.Equal("1", (await RunAsync("get", application, "a.txt", "--release", "1")).Done().Output);
        Assert.Equal("2", (await RunAsync("get", application, "a.txt")).Done().Output);
        (await RunAsync("get", application, "bytes", "--release", "1")).Failed(2, "bytes");
        (await RunAsync("get", application, "nothing")).Failed(2, "nothing");
    }

    [Fact]
    public async Task Get_on_a_terminal_shows_what_would_not_be_seen_and_raw_is_asked_for()
    {
        string application = await ApplicationAsync();
        byte[] bytes = Bytes("a\u001b[2J\r\n\u202Eb");
        (await RunAsync("publish", application, $"v={Folder.File("v", bytes)}")).Done();

        Assert.Equal(bytes, (await RunAsync("get", application, "v")).Done().OutputBytes);
        Cli.IsTerminal = true;
        Assert.Equal("a\\u001B[2J\n\\u202Eb", (await RunAsync("get", application, "v")).Done().Output);
        Assert.Equal(bytes, (await RunAsync("get", application, "v", "--raw")).Done().OutputBytes);
    }

    [Fact]
    public async Task Json_escapes_what_would_not_be_seen()
    {
        string application = await ApplicationAsync();
        byte[] bytes = Bytes("\"é\u202E\U000E0041\u2028\"");
        (await RunAsync("publish", application, $"v={Folder.File("v", bytes)}")).Done();

        CliRun run = (await RunAsync("get", application, "v", "-o", "json")).Done();

        Assert.Contains("é\\u202E\\uDB40\\uDC41\\u2028", run.Output, StringComparison.Ordinal);
        Assert.Equal("\"é\u202E\U000E0041\u2028\"", run.Json.GetProperty("text").GetString());
    }

    [Fact]
    public async Task Get_into_a_file_says_what_it_wrote()
    {
        string application = await ApplicationAsync("1");
        string path = Folder.PathOf("out");

        CliRun text = (await RunAsync("get", application, "a.txt", "--out", path)).Done();

        Assert.Equal($"a.txt of {application} release 1: 1 bytes written to {path}", Assert.Single(text.Lines));
        Assert.Equal("1", await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken));
        (await RunAsync("get", application, "a.txt", "--out", Folder.PathOf("no/where"))).Failed(1, "no/where", "may use");
        (await RunAsync("get", application, "--out", path)).Failed(1, "name the KEY");
    }

    [Fact]
    public async Task Get_as_json_holds_text_as_text_and_bytes_as_base64()
    {
        string application = await ApplicationAsync("\"é\"");
        (await RunAsync("publish", application, $"bytes={Folder.File("b", [255])}")).Done();

        JsonElement text = (await RunAsync("get", application, "a.txt", "-o", "json")).Done().Json;
        JsonElement bytes = (await RunAsync("get", application, "bytes", "-o", "json")).Done().Json;

        Assert.Equal("\"é\"", text.GetProperty("text").GetString());
        Assert.Equal(2, text.GetProperty("release").GetInt32());
        Assert.Equal(4, text.GetProperty("lengthBytes").GetInt32());
        Assert.Equal([255], bytes.GetProperty("bytes").GetBytesFromBase64());
        Assert.False(bytes.TryGetProperty("text", out _));
    }

    [Fact]
    public async Task Keys_are_listed_with_their_lengths()
    {
        string application = await ApplicationAsync("1");
        (await RunAsync("publish", application, "--text", "b/c=four", "--text", "b/d=x")).Done();

        CliRun text = (await RunAsync("keys", application)).Done();
        JsonElement json = (await RunAsync("keys", application, "--prefix", "b/", "-o", "json")).Done().Json;

        Assert.Equal(["BYTES", "1", "4", "1"], text.Lines.Select(l => l.Split(' ', StringSplitOptions.RemoveEmptyEntries)[0]));
        Assert.EndsWith("b/c", text.Lines[2], StringComparison.Ordinal);
        Assert.Equal(["b/c", "b/d"], json.EnumerateArray().Select(k => k.GetProperty("key").GetString()));
        Assert.Single((await RunAsync("keys", application, "--release", "1", "-o", "json")).Done().Json.EnumerateArray());
        Assert.Equal(text.Output, (await RunAsync("get", application)).Done().Output);
    }

    [Fact]
    public async Task History_is_newest_first_and_tells_who_and_what()
    {
        string application = await ApplicationAsync("1", "2");
        (await RunAsync("publish", application, "--remove", "a.txt", "--note", "gone\nsecond line")).Done();

        CliRun text = (await RunAsync("history", application)).Done();
        JsonElement json = (await RunAsync("history", application, "-n", "2", "-o", "json")).Done().Json;

        Assert.Equal(["RELEASE", "3", "2", "1"], text.Lines.Select(l => l.Split(' ', StringSplitOptions.RemoveEmptyEntries)[0]));
        Assert.Contains("-a.txt", text.Lines[1], StringComparison.Ordinal);
        Assert.EndsWith("gone", text.Lines[1], StringComparison.Ordinal);
        Assert.Equal([3, 2], json.EnumerateArray().Select(r => r.GetProperty("release").GetInt32()));
        Assert.NotEqual("", json[0].GetProperty("actor").GetString());
        Assert.Equal(
            [2, 1],
            (await RunAsync("history", application, "--before", "3", "-o", "json")).Done().Json.EnumerateArray().Select(
                r => r.GetProperty("release").GetInt32()));
    }

    [Fact]
    public async Task Diff_shows_lines_of_text_that_differ()
    {
        string application = await ApplicationAsync("[1,\n2,\n3]", "[1,\n2,\n4]");

        CliRun text = (await RunAsync("diff", application, "1", "2")).Done();
        CliRun keys = (await RunAsync("diff", application, "0", "--keys")).Done();
        JsonElement json = (await RunAsync("diff", application, "1", "-o", "json")).Done().Json;

        Assert.Equal(
            [$"{application} from release 1 to 2: 1 key", "changed a.txt (9 -> 9 bytes)", "    [1,", "    2,", "  - 3]", "  + 4]"],
            text.Lines);
        Assert.Equal("added   a.txt", keys.Lines[^1]);
        Assert.Equal("changed", json.GetProperty("changes")[0].GetProperty("kind").GetString());
        Assert.Equal(2, json.GetProperty("to").GetInt32());
        Assert.Contains("no difference", (await RunAsync("diff", application, "2", "2")).Done().Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("1\n2\n", "1\n3\n", "    1", "  - 2", "  + 3")]
    [InlineData("1\n", "1", "  @ the line end at the end was removed")]
    [InlineData("1", "1\n", "  @ a line end was added at the end")]
    [InlineData("1\r\n2\r\n", "1\n2\n", "  @ only line ends differ")]
    [InlineData("x", "", "  - x")]
    [InlineData("", "x\n", "  + x")]
    [InlineData(
        "1\n2\n3\n4\n5\n6\n7\n8\n9",
        "one\n2\n3\n4\n5\n6\n7\n8\nnine",
        "  - 1",
        "  + one",
        "    2",
        "    3",
        "    4",
        "  @ ...",
        "    6",
        "    7",
        "    8",
        "  - 9",
        "  + nine")]
    public async Task Diff_is_told_in_lines(string before, string after, params string[] lines)
    {
        string application = await ApplicationAsync(before, after);

        Assert.Equal(lines, (await RunAsync("diff", application, "1")).Done().Lines[2..]);
    }

    [Fact]
    public async Task Escapes_in_values_and_notes_do_not_reach_the_terminal()
    {
        string application = await ApplicationAsync();
        (await RunAsync("publish", application, "--text", "a=x\u001b[31mred", "--note", "n\tote")).Done();

        Assert.DoesNotContain('\u001b', (await RunAsync("diff", application, "0")).Done().Output);
        Assert.DoesNotContain('\t', (await RunAsync("history", application)).Done().Output);
    }

    [Fact]
    public async Task Rollback_brings_a_past_state_back_as_a_new_release()
    {
        string application = await ApplicationAsync("1", "2");

        CliRun plan = (await RunAsync("rollback", application, "1", "--dry-run")).Done();
        JsonElement planJson = (await RunAsync("rollback", application, "1", "--dry-run", "-o", "json")).Done().Json;
        (await RunAsync("rollback", application, "1", "--expect", "1")).Failed(2, "--expect 1/2");
        CliRun done = (await RunAsync("rollback", application, "1", "--expect", "2", "--note", "back")).Done();

        Assert.Contains("  - 2", plan.Lines);
        Assert.Contains("  + 1", plan.Lines);
        Assert.Contains("would reach no node: none that wants it is there now", plan.Lines);
        Assert.Equal(2, planJson.GetProperty("baseRelease").GetInt32());
        Assert.StartsWith($"{application} release 3 (", done.Output, StringComparison.Ordinal);
        Assert.Equal("1", (await RunAsync("get", application, "a.txt")).Done().Output);
        Assert.Equal(4, (await RunAsync(
            "rollback", application, "2", "-o", "json")).Done().Json.GetProperty("published").GetProperty("release").GetInt32());
        (await RunAsync("rollback", application, "99")).Failed(2, "no release 99");
    }
}
