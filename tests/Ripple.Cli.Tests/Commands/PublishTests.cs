using System.Text.Json;
using Ripple.Cli.Tests.Hosting;
using Ripple.Client;

namespace Ripple.Cli.Tests.Commands;

public sealed class PublishTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task Files_standard_input_and_text_become_one_release_byte_for_byte()
    {
        string application = await ApplicationAsync();
        byte[] file = [0, 1, 255, 13, 10];
        Cli.Input = "from input\r\n"u8.ToArray();

        CliRun published = (await RunAsync(
            "publish", application, $"file={Folder.File("f", file)}", "input=-", "--text", "text=a=b", "--note", "three keys")).Done();

        Assert.Matches($"^{application} release 1 \\([0-9a-f]{{40}}\\)$", Assert.Single(published.Lines));
        Assert.Equal(file, (await RunAsync("get", application, "file")).Done().OutputBytes);
        Assert.Equal("from input\r\n", (await RunAsync("get", application, "input")).Done().Output);
        Assert.Equal("a=b", (await RunAsync("get", application, "text")).Done().Output);
        Assert.Equal("three keys", (await RunAsync("history", application, "-o", "json")).Done().Json[0].GetProperty("note").GetString());
    }

    [Fact]
    public async Task An_argument_that_begins_with_an_at_sign_is_what_was_typed()
    {
        string application = await ApplicationAsync();
        string arguments = Folder.File("more", Bytes("--dry-run"));

        (await RunAsync("publish", application, "--text", "@scope/pkg=1", "--note", "@ops: raised")).Done();
        (await RunAsync("publish", application, "--text", "b=2", "--note", $"@{arguments}")).Done();

        Assert.Equal("1", (await RunAsync("get", application, "@scope/pkg")).Done().Output);
        JsonElement history = (await RunAsync("history", application, "-o", "json")).Done().Json;
        Assert.Equal($"@{arguments}", history[0].GetProperty("note").GetString());
        Assert.Equal("@ops: raised", history[1].GetProperty("note").GetString());
    }

    [Theory]
    [InlineData("/Shop/Max", "Shop/Max")]
    [InlineData("Shop//Max", "Shop/Max")]
    [InlineData("Shop/", "Shop")]
    [InlineData("Shop/.json", "Shop.json")]
    [InlineData("Shop::Max", "Shop:Max")]
    [InlineData("//", null)]
    public async Task A_key_with_a_section_without_a_name_is_refused_with_the_key_that_was_meant(string key, string? meant)
    {
        string application = await ApplicationAsync();

        CliRun refused = await RunAsync("publish", application, "--text", $"{key}=1");

        refused.Failed(ExitCodes.Refused, $"The key '{key}' has a section without a name", meant is null ? "Name each" : $"'{meant}'");
        Assert.Empty((await RunAsync("history", application, "-o", "json")).Done().Json.EnumerateArray());
    }

    [Theory]
    [InlineData("Hosts.json", "[\"a\",\"b\"]")]
    [InlineData("Hosts.json", "[]")]
    [InlineData("Limit.json", "5")]
    [InlineData("Title.json", "null")]
    public async Task A_json_key_takes_any_document(string key, string text)
    {
        string application = await ApplicationAsync();

        (await RunAsync("publish", application, "--text", $"{key}={text}")).Done();

        Assert.Equal(text, (await RunAsync("get", application, key)).Done().Output);
        (await RunAsync("publish", application, "--text", $"appsettings.json={text}")).Failed(ExitCodes.Refused, "Put it into an object");
    }

    [Fact]
    public async Task Json_tells_of_the_release()
    {
        string application = await ApplicationAsync();

        JsonElement published = (await RunAsync(
            "publish", application, "--text", "a=1", "--publish-id", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "--output", "json"))
            .Done().Json
            .GetProperty("published");

        Assert.Equal(application, published.GetProperty("application").GetString());
        Assert.Equal(1ul, published.GetProperty("release").GetUInt64());
        Assert.Equal("3f2504e0-4f89-41d3-9a0c-0305e82c3301", published.GetProperty("publishId").GetString());
    }

    [Fact]
    public async Task Same_publish_id_is_released_once()
    {
        string application = await ApplicationAsync();
        string[] again = ["publish", application, "--text", "a=1", "--publish-id", "3f2504e0-4f89-41d3-9a0c-0305e82c3302"];

        string first = (await RunAsync(again)).Done().Output;

        Assert.Equal(first, (await RunAsync(again)).Done().Output);
        Assert.Single((await RunAsync("history", application, "-o", "json")).Done().Json.EnumerateArray());
    }

    [Fact]
    public async Task Dry_run_shows_the_difference_and_the_nodes_and_changes_nothing()
    {
        string application = await ApplicationAsync("""
            {
              "a": 1,
              "b": 2
            }
            """);
        (await RunAsync("publish", application, "--text", "old=gone", "--text", "bytes=x")).Done();
        await using RippleClient one = await Host.JoinAsync(application, "web-1");
        await using RippleClient two = await Host.JoinAsync(application, "web-2");
        string[] command =
        [
            "publish",
            application,
            "--text",
            "a.txt={\n  \"a\": 1,\n  \"b\": 3\n}",
            $"bytes={Folder.File("b", [0, 1])}",
            "--text",
            "new=here",
            "--remove",
            "old",
            "--dry-run",
        ];

        CliRun text = (await RunAsync(command)).Done();
        JsonElement plan = (await RunAsync([.. command, "-o", "json"])).Done().Json;

        Assert.Contains($"dry run: nothing is published. {application} is at release 2", text.Lines);
        Assert.Contains("changed a.txt (22 -> 22 bytes)", text.Lines);
        Assert.Contains("  -   \"b\": 2", text.Lines);
        Assert.Contains("  +   \"b\": 3", text.Lines);
        Assert.Contains("      \"a\": 1,", text.Lines);
        Assert.Contains("changed bytes (1 -> 2 bytes)", text.Lines);
        Assert.Contains("  @ not text", text.Lines);
        Assert.Contains("added new (4 bytes)", text.Lines);
        Assert.Contains("  + here", text.Lines);
        Assert.Contains("removed old (4 bytes)", text.Lines);
        Assert.Contains("  - gone", text.Lines);
        Assert.Contains("would reach 2 nodes:", text.Lines);
        Assert.Contains(text.Lines, l => l.StartsWith("web-1 ", StringComparison.Ordinal) && l.Contains("eu-1", StringComparison.Ordinal));
        Assert.Contains(text.Lines, l => l.StartsWith("web-2 ", StringComparison.Ordinal));
        Assert.Equal(
            ["a.txt", "bytes", "new", "old"], plan.GetProperty("changes").EnumerateArray().Select(c => c.GetProperty("key").GetString()));
        Assert.Equal(["web-1", "web-2"], plan.GetProperty("nodes").EnumerateArray().Select(n => n.GetProperty("name").GetString()));
        Assert.Equal(2, (await RunAsync("history", application, "-o", "json")).Json.GetArrayLength());
    }

    [Fact]
    public async Task Wait_holds_when_every_node_has_it()
    {
        string application = await ApplicationAsync();
        await using RippleClient one = await Host.JoinAsync(application, "web-1");
        await using RippleClient two = await Host.JoinAsync(application, "web-2");

        CliRun text = (await RunAsync("publish", application, "--text", "a=1", "--wait")).Done();
        JsonElement json = (await RunAsync("publish", application, "--text", "a=2", "--wait", "KTH_MAX(1, $ALL.applied)", "-o", "json"))
            .Done().Json;

        Assert.Equal($"held: release 1 of {application}, 2 members", text.Lines[^1]);
        Assert.Equal("held", json.GetProperty("wait").GetProperty("outcome").GetString());
        Assert.Equal(1, json.GetProperty("wait").GetProperty("generation").GetInt32());
        Assert.Equal(2, json.GetProperty("published").GetProperty("release").GetInt32());
    }

    [Fact]
    public async Task Wait_that_cannot_hold_ends_with_3_and_names_who_rejected_it_and_why()
    {
        string application = await ApplicationAsync();
        await using RippleClient one = await Host.JoinAsync(application, "web-1");
        await using RippleClient two = await Host.JoinAsync(application, "web-2", _ => "Port must be 1 to 65535");

        CliRun text = await RunAsync("publish", application, "--text", "a=1", "--wait");
        CliRun json = await RunAsync("publish", application, "--text", "a=2", "--wait", "-o", "json");

        Assert.Equal(3, text.Code);
        Assert.Contains(text.Lines, l => l.StartsWith($"cannot hold: release 1 of {application}", StringComparison.Ordinal));
        Assert.Contains(
            text.Lines,
            l => l.Contains("web-2", StringComparison.Ordinal) && l.Contains("Port must be 1 to 65535", StringComparison.Ordinal));
        Assert.DoesNotContain(text.Lines, l => l.Contains("web-1", StringComparison.Ordinal));
        Assert.Equal(3, json.Code);
        Assert.Equal("web-2", json.Json.GetProperty("wait").GetProperty("members")[0].GetProperty("name").GetString());
    }

    [Fact]
    public async Task Wait_that_is_refused_still_says_what_was_published()
    {
        string application = await ApplicationAsync();

        CliRun run = await RunAsync("publish", application, "--text", "a=1", "--wait", "MIN($ALL.baked)");
        CliRun json = await RunAsync("publish", application, "--text", "a=2", "--wait", "-o", "json");

        Assert.Equal(3, run.Code);
        Assert.Equal(3, json.Code);
        Assert.Equal(2, json.Json.GetProperty("published").GetProperty("release").GetInt32());
        Assert.Contains("$ALL has no members", json.Problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Contains($"{application} release 1", run.Output, StringComparison.Ordinal);
        Assert.Contains(
            $"Release 1 of {application} is published; what follows is about the wait alone.", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MNI($ALL.applied)", "The predicate is not one. At 0: ")]
    [InlineData("MIN(nonsense", "The predicate is not one. At ")]
    [InlineData("safee", "has no predicate 'safee'. ")]
    public async Task What_is_no_predicate_is_said_before_anything_is_published(string predicate, string text)
    {
        string application = await ApplicationAsync("1");

        (await RunAsync("publish", application, "--text", "a=2", "--wait", predicate)).Failed(
            ExitCodes.Usage, "--wait: ", text, "Nothing was published.");
        (await RunAsync("set", application, "b.json", "/c", "2", "--wait", predicate)).Failed(ExitCodes.Usage, text);
        (await RunAsync("rollback", application, "1", "--wait", predicate)).Failed(ExitCodes.Usage, text);

        Assert.Single((await RunAsync("history", application, "-o", "json")).Done().Json.EnumerateArray());
    }

    [Fact]
    public async Task A_wait_over_nobody_says_who_was_there_when_it_was_committed()
    {
        string application = await ApplicationAsync("1");
        await using RippleClient late = await Host.JoinAsync(application, "late");

        (await RunAsync("wait", application, "1")).Failed(
            ExitCodes.Refused, "A wait counts who was a member when its release was committed", "who joined later");
    }

    [Fact]
    public async Task Wrong_expected_release_is_refused_with_the_newest()
    {
        string application = await ApplicationAsync("1", "2");

        (await RunAsync("publish", application, "--text", "a=1", "--expect", "1")).Failed(2, "2, not 1", "--expect 1/2", "ripple history");
        JsonElement problem = (await RunAsync("publish", application, "--text", "a=1", "--expect", "1", "-o", "json")).Failed(2).Problem;
        (await RunAsync("publish", application, "--text", "a=1", "--expect", "2/2")).Failed(2, "1/2, not 2/2", "--expect 1/2");
        (await RunAsync("publish", application, "--text", "a=1", "--expect", "2")).Done();
        (await RunAsync("publish", application, "--text", "a=2", "--expect", "1/3")).Done();

        Assert.Equal("wrong_expected_release", problem.GetProperty("code").GetString());
        Assert.Equal(2, problem.GetProperty("newestRelease").GetInt32());
        Assert.Equal(1, problem.GetProperty("newestGeneration").GetInt32());
    }

    [Fact]
    public async Task Revoked_token_is_unauthorised()
    {
        string application = await ApplicationAsync();
        string connection = Folder.PathOf("c");
        string id =
            (await RunAsync("token", "create", "-a", application, "--role", "publisher", "--out", connection)).Done().Output.Split(' ')[0];
        (await RunAsync("publish", application, "--text", "a=1", "-c", connection)).Done();
        (await RunAsync("token", "revoke", id)).Done();

        CliRun run = await UntilAsync(
            () => RunAsync("publish", application, "--text", $"a={Guid.NewGuid()}", "-c", connection), r => r.Code != 0);

        run.Failed(4, "revoked", "ripple token create", "ripple connect");
        Assert.Equal("unauthenticated", (await RunAsync(
            "publish", application, "--text", "a=2", "-c", connection, "-o", "json")).Failed(4).Problem.GetProperty("code").GetString());
        Assert.Contains("it was revoked, has expired, or is of another cluster", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("Bearer", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Lesser_role_is_unauthorised()
    {
        string application = await ApplicationAsync("1");
        string connection = Folder.PathOf("c");
        (await RunAsync("token", "create", "-a", application, "--role", "node", "--out", connection)).Done();

        (await RunAsync("get", application, "a.txt", "-c", connection)).Done();
        (await RunAsync("publish", application, "--text", "a=1", "-c", connection)).Failed(4, "ripple whoami", "ripple role set");
    }

    [Fact]
    public async Task Unreachable_host_is_told_with_its_address()
    {
        string connection = System.Text.RegularExpressions.Regex.Replace(
            await File.ReadAllTextAsync(Host.AdminConnection, TestContext.Current.CancellationToken),
            "Endpoints=[^;]+",
            "Endpoints=127.0.0.1:1");

        (await RunAsync("publish", "shop", "--text", "a=1", "-c", connection)).Failed(5, "127.0.0.1:1", "Check that a host runs there");
        Assert.Equal("unreachable", (await RunAsync(
            "publish", "shop", "--text", "a=1", "-c", connection, "-o", "json")).Failed(5).Problem.GetProperty("code").GetString());
    }

    [Fact]
    public async Task Host_of_another_authority_is_not_trusted()
    {
        string connection = System.Text.RegularExpressions.Regex.Replace(
            await File.ReadAllTextAsync(Host.AdminConnection, TestContext.Current.CancellationToken),
            "sha256:[0-9a-f]+",
            $"sha256:{new string('a', 64)}");

        (await RunAsync("whoami", "-c", connection)).Failed(5, "can be trusted");
    }

    [Fact]
    public async Task Invalid_json_is_refused_with_its_place()
    {
        string application = await ApplicationAsync();

        (await RunAsync("publish", application, $"a.json={Folder.File("a.json", "{\n  \"a\": x\n}")}")).Failed(
            2, "a.json", "line 2", "nothing was released");
        Assert.Equal(
            "invalid_json",
            (await RunAsync("publish", application, "--text", "a.json={", "-o", "json")).Failed(2).Problem.GetProperty("code").GetString());
    }

    [Fact]
    public async Task Seventeen_mebibytes_are_refused_with_the_limit()
    {
        string application = await ApplicationAsync();
        string file = Folder.File("large", new byte[17 * 1024 * 1024]);

        (await RunAsync("publish", application, $"large={file}")).Failed(2, "17825792 bytes", "at most 16777216");
        Assert.Equal(
            "too_large",
            (await RunAsync("publish", application, $"large={file}", "-o", "json")).Failed(2).Problem.GetProperty("code").GetString());
    }

    [Fact]
    public async Task Sixteen_mebibytes_are_published()
    {
        string application = await ApplicationAsync();
        byte[] bytes = new byte[16 * 1024 * 1024];
        Random.Shared.NextBytes(bytes);

        (await RunAsync("publish", application, $"large={Folder.File("large", bytes)}")).Done();

        byte[] read = (await RunAsync("get", application, "large")).Done().OutputBytes;
        Assert.True(bytes.AsSpan().SequenceEqual(read));
    }

    [Fact]
    public async Task What_changes_nothing_is_refused()
    {
        string application = await ApplicationAsync("1");

        (await RunAsync("publish", application, "--remove", "b")).Failed(2, "changes nothing", "There is nothing to do.");
    }

    [Fact]
    public async Task Unknown_application_is_told_with_where_to_look() =>
        (await RunAsync("publish", "nobody", "--text", "a=1")).Failed(2, "nobody", "ripple app list");

    [Theory]
    [InlineData("There is nothing to publish", "publish", "shop")]
    [InlineData("which is not KEY=FILE", "publish", "shop", "file")]
    [InlineData("which is not KEY=TEXT", "publish", "shop", "--text", "=x")]
    [InlineData("There is no file '/nowhere'", "publish", "shop", "k=/nowhere")]
    [InlineData("given for two keys", "publish", "shop", "a=-", "b=-")]
    [InlineData("Put --wait behind everything else", "publish", "shop", "--text", "a=1", "--wait", "b=file")]
    [InlineData("leave --wait or --dry-run away", "publish", "shop", "--text", "a=1", "--dry-run", "--wait")]
    [InlineData("'x' is not a release", "publish", "shop", "--text", "a=1", "--expect", "x")]
    [InlineData("'0/1' is not a release", "publish", "shop", "--text", "a=1", "--expect", "0/1")]
    [InlineData("'2/' is not a release", "wait", "shop", "2/")]
    [InlineData("takes a GUID", "publish", "shop", "--text", "a=1", "--publish-id", "x")]
    [InlineData("takes 1 to 3600 seconds", "publish", "shop", "--text", "a=1", "--timeout", "0")]
    public async Task Wrong_command_line_is_usage(string said, params string[] args)
    {
        Cli.Input = "x"u8.ToArray();
        (await RunAsync(args)).Failed(1, said);
        Assert.Equal("usage", (await RunAsync([.. args, "--output", "json"])).Failed(1).Problem.GetProperty("code").GetString());
    }
}
