using System.Text.Json;
using Ripple.Cli.Tests.Hosting;
using Ripple.Client;

namespace Ripple.Cli.Tests.Commands;

public sealed class EditTests(CliHost host) : CommandTest(host)
{
    private const string Document = "{\n  // a day\n  \"limits\": { \"max\": 3 },\n  \"hosts\": [ \"a\" ]\n}\n";

    [Fact]
    public async Task Set_changes_one_place_and_leaves_the_rest()
    {
        string application = await DocumentAsync();

        CliRun run = (await RunAsync("set", application, "Shop.json", "/limits/max", "5", "--note", "more")).Done();

        Assert.Equal("/limits/max of Shop.json: 3 -> 5", run.Lines[0]);
        Assert.Matches($"^{application} release 2 \\([0-9a-f]{{40}}\\)$", run.Lines[1]);
        Assert.Equal(Document.Replace("3", "5", StringComparison.Ordinal), await ValueAsync(application));
        Assert.Equal("more", (await RunAsync("history", application, "-o", "json")).Done().Json[0].GetProperty("note").GetString());
    }

    [Theory]
    [InlineData("\"max\": 3", "\"max\": -5", "set", "/limits/max", "-5")]
    [InlineData("\"max\": 3", "\"max\": 3, \"min\": {\"x\": null}", "set", "/limits/min/x", "null", "--create")]
    [InlineData("\"a\" ]", "\"a\", \"b\" ]", "set", "/hosts/-", "b", "--string")]
    [InlineData("\"a\" ]", "\"a\", \"-x\" ]", "set", "/hosts/-", "\"-x\"")]
    [InlineData(" \"max\": 3 ", " ", "unset", "/limits/max")]
    public async Task Values_are_json_or_text(string old, string now, string command, string pointer, params string[] rest)
    {
        string application = await DocumentAsync();

        (await RunAsync([command, application, "Shop.json", pointer, .. rest])).Done();

        Assert.Equal(Document.Replace(old, now, StringComparison.Ordinal), await ValueAsync(application));
    }

    [Fact]
    public async Task Whole_document_is_the_empty_pointer()
    {
        string application = await DocumentAsync();

        (await RunAsync("set", application, "Shop.json", "", "{}")).Done();

        Assert.Equal("{}\n", await ValueAsync(application));
    }

    [Fact]
    public async Task Same_value_is_told_and_not_published()
    {
        string application = await DocumentAsync();

        CliRun set = (await RunAsync("set", application, "Shop.json", "/limits/max", "3")).Done();
        CliRun unset = (await RunAsync("unset", application, "Shop.json", "/x")).Done();
        JsonElement json = (await RunAsync("set", application, "Shop.json", "/limits/max", "3", "--dry-run", "-o", "json")).Done().Json;

        Assert.Equal(
            "nothing changed: /limits/max of Shop.json is 3 at release 1 already; nothing is published", Assert.Single(set.Lines));
        Assert.Equal(
            "nothing changed: /x of Shop.json is not there at release 1 already; nothing is published", Assert.Single(unset.Lines));
        Assert.Equal(0, json.GetProperty("edit").GetProperty("tries").GetInt32());
        Assert.False(json.TryGetProperty("published", out _));
        Assert.Single((await RunAsync("history", application, "-o", "json")).Done().Json.EnumerateArray());
    }

    [Fact]
    public async Task Dry_run_shows_the_lines_and_publishes_nothing()
    {
        string application = await DocumentAsync();

        CliRun run = (await RunAsync("set", application, "Shop.json", "/limits/max", "5", "--dry-run")).Done();
        JsonElement plan = (await RunAsync("unset", application, "Shop.json", "/hosts", "--dry-run", "-o", "json")).Done().Json;

        Assert.Contains($"dry run: nothing is published. {application} is at release 1", run.Lines);
        Assert.Contains("  -   \"limits\": { \"max\": 3 },", run.Lines);
        Assert.Contains("  +   \"limits\": { \"max\": 5 },", run.Lines);
        Assert.Equal("Shop.json", plan.GetProperty("changes")[0].GetProperty("key").GetString());
        Assert.Equal(Document, await ValueAsync(application));
    }

    [Fact]
    public async Task Json_tells_of_the_release_and_of_the_edit_and_waits()
    {
        string application = await DocumentAsync();
        await using RippleClient node = await Host.JoinAsync(application, "web-1");

        JsonElement report =
            (await RunAsync("set", application, "Shop.json", "/limits/max", "5", "-o", "json", "--wait")).Done().Json;

        Assert.Equal(2, report.GetProperty("published").GetProperty("release").GetInt32());
        Assert.Equal("held", report.GetProperty("wait").GetProperty("outcome").GetString());
        JsonElement edit = report.GetProperty("edit");
        Assert.Equal("/limits/max", edit.GetProperty("pointer").GetString());
        Assert.Equal(("3", "5"), (edit.GetProperty("before").GetString(), edit.GetProperty("after").GetString()));
        Assert.Equal((2, 1), (edit.GetProperty("release").GetInt32(), edit.GetProperty("tries").GetInt32()));
    }

    [Fact]
    public async Task What_the_document_does_not_take_is_refused_with_its_place()
    {
        string application = await DocumentAsync();

        (await RunAsync("set", application, "Shop.json", "/x/y", "5")).Failed(
            2, $"'Shop.json' of '{application}' at release 1", "(line 1, column 1)", "--create", "Nothing was released.");
        Assert.Equal(
            "edit_refused",
            (await RunAsync(
                "unset", application, "Shop.json", "/hosts/1", "-o", "json")).Failed(2).Problem.GetProperty("code").GetString());
        (await RunAsync("set", application, "a.txt", "/x", "5")).Failed(2, "does not end with .json");
        (await RunAsync("set", application, "b.json", "/x", "5")).Failed(2, "b.json");
    }

    [Theory]
    [InlineData("'limits' does not begin with '/'", "set", "shop", "Shop.json", "limits", "5")]
    [InlineData("without 0 or 1 behind it", "set", "shop", "Shop.json", "/a~", "5")]
    [InlineData("VALUE 'eu-1': The value is not JSON", "set", "shop", "Shop.json", "/region", "eu-1")]
    [InlineData("With --string VALUE is taken as a text.", "set", "shop", "Shop.json", "/region", "eu-1")]
    [InlineData("Remove the key", "unset", "shop", "Shop.json", "")]
    [InlineData("leave --wait or --dry-run away", "unset", "shop", "Shop.json", "/a", "--dry-run", "--wait")]
    [InlineData("--expect", "set", "shop", "Shop.json", "/a", "5", "--expect", "1")]
    public async Task Wrong_command_line_is_usage(string said, params string[] args) => (await RunAsync(args)).Failed(1, said);

    private async Task<string> DocumentAsync()
    {
        string application = await ApplicationAsync();
        (await RunAsync("publish", application, $"Shop.json={Folder.File("Shop.json", Document)}")).Done();
        return application;
    }

    private async Task<string> ValueAsync(string application) => (await RunAsync("get", application, "Shop.json")).Done().Output;
}
