using System.Text;
using System.Text.Json;
using Ripple.Cli.Tests.Commands;
using Ripple.Cli.Tests.Hosting;
using Ripple.Client;

namespace Ripple.Cli.Tests.Git;

public sealed class GitImportTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task Two_hundred_commits_become_two_hundred_releases_with_bytes_and_authors()
    {
        string application = await ApplicationAsync();
        GitRepo repo = new(Folder.PathOf("repo"));
        List<GitVersion> versions = GitVersion.Make(repo, "conf/app.json", 200);

        CliRun run = (await RunAsync("import", "--git", repo.Path, "--path", "conf/app.json", "--app", application, "--key", "app.json"))
            .Done();

        Assert.Equal(
            $"app.json of {application}: 200 commits; 200 released (1 to 200), 0 imported before, 0 without a change, 0 not JSON",
            run.Lines[^1]);
        await GitVersion.CheckAsync(Cli, application, "app.json", versions);
    }

    [Fact]
    public async Task Import_again_goes_on_behind_the_newest_imported_commit()
    {
        string application = await ApplicationAsync();
        GitRepo repo = new(Folder.PathOf("repo"));
        string[] command = ["import", "--git", repo.Path, "--path", "a", "--app", application];
        repo.Commit("a", "1"u8.ToArray(), "one");
        repo.Commit("a", "2"u8.ToArray(), "two");
        (await RunAsync(command)).Done();
        (await RunAsync("publish", application, "--text", "a=by hand")).Done();
        repo.Commit("a", "3"u8.ToArray(), "three");

        JsonElement more = (await RunAsync([.. command, "-o", "json"])).Done().Json;
        JsonElement nothing = (await RunAsync([.. command, "-o", "json"])).Done().Json;

        Assert.Equal(1, more.GetProperty("released").GetInt32());
        Assert.Equal(2, more.GetProperty("resumed").GetInt32());
        Assert.Equal(4, more.GetProperty("lastRelease").GetInt32());
        Assert.Equal(0, nothing.GetProperty("released").GetInt32());
        Assert.Equal(3, nothing.GetProperty("resumed").GetInt32());
        Assert.Equal("3", (await RunAsync("get", application, "a")).Done().Output);
    }

    [Fact]
    public async Task History_is_not_released_to_nodes_that_run_unless_that_is_said()
    {
        string application = await ApplicationAsync();
        GitRepo repo = new(Folder.PathOf("repo"));
        string[] command = ["import", "--git", repo.Path, "--path", "a", "--app", application];
        repo.Commit("a", "1"u8.ToArray(), "one");
        repo.Commit("a", "2"u8.ToArray(), "two");
        await using RippleClient node = await Host.JoinAsync(application, "web-1");

        CliRun refused = await RunAsync(command);
        CliRun plan = (await RunAsync([.. command, "--dry-run"])).Done();

        refused.Failed(2, "--replay", "1 nodes run");
        Assert.Equal(0ul, node.Current().Release);
        Assert.Contains("2 would be released, oldest first, and 1 nodes take them", plan.Output, StringComparison.Ordinal);
        Assert.Contains("refused without --replay", plan.Output, StringComparison.Ordinal);
        (await RunAsync([.. command, "--replay"])).Done();
        // The next commit alone is what a publish would be.
        repo.Commit("a", "3"u8.ToArray(), "three");
        (await RunAsync(command)).Done();
    }

    [Fact]
    public async Task Removal_unchanged_bytes_and_return_are_what_they_were()
    {
        string application = await ApplicationAsync();
        GitRepo repo = new(Folder.PathOf("repo"));
        repo.Commit("a", "1"u8.ToArray(), "one");
        repo.Commit("a", null, "removed");
        repo.Commit("a", "1"u8.ToArray(), "back");
        repo.Run("update-index", "--chmod=+x", "a");
        repo.Run("commit", "--quiet", "--message", "mode alone");

        CliRun run = (await RunAsync("import", "--git", repo.Path, "--path", "a", "--app", application)).Done();

        Assert.Equal(
            $"a of {application}: 4 commits; 3 released (1 to 3), 0 imported before, 1 without a change, 0 not JSON", run.Lines[^1]);
        Assert.Equal("1", (await RunAsync("get", application, "a", "-r", "1")).Done().Output);
        (await RunAsync("get", application, "a", "-r", "2")).Failed(2);
        Assert.Equal("1", (await RunAsync("get", application, "a", "-r", "3")).Done().Output);
    }

    [Fact]
    public async Task Commit_that_is_not_json_ends_the_import_or_is_passed_over()
    {
        string application = await ApplicationAsync();
        GitRepo repo = new(Folder.PathOf("repo"));
        string[] command = ["import", "--git", repo.Path, "--path", "a.json", "--app", application];
        repo.Commit("a.json", "{}"u8.ToArray(), "one");
        string bad = repo.Commit("a.json", "{"u8.ToArray(), "broken");
        repo.Commit("a.json", "{ }"u8.ToArray(), "two");

        CliRun ended = await RunAsync(command);
        JsonElement passed = (await RunAsync([.. command, "--skip-invalid", "-o", "json"])).Done().Json;

        Assert.Equal(2, ended.Code);
        Assert.Contains(bad, ended.Error, StringComparison.Ordinal);
        Assert.Equal(1, passed.GetProperty("resumed").GetInt32());
        Assert.Equal(1, passed.GetProperty("invalid").GetInt32());
        Assert.Equal(1, passed.GetProperty("released").GetInt32());
        Assert.Equal("{ }", (await RunAsync("get", application, "a.json")).Done().Output);
    }

    [Fact]
    public async Task What_is_not_there_is_refused()
    {
        string application = await ApplicationAsync();

        (await RunAsync("import", "--git", Folder.Path, "--path", "a", "--app", application)).Failed(2, "not a git repository");
        (await RunAsync("import", "--git", Folder.Path, "--app", application)).Failed(1, "--path");
    }

    [Fact]
    public async Task Terminal_shows_a_bar()
    {
        string application = await ApplicationAsync();
        GitRepo repo = new(Folder.PathOf("repo"));
        repo.Commit("a", Encoding.UTF8.GetBytes("1"), "one");
        Cli.IsTerminal = true;

        CliRun run = (await RunAsync("import", "--git", repo.Path, "--path", "a", "--app", application)).Done();

        Assert.Contains("1 of 1", run.Output, StringComparison.Ordinal);
        Assert.Contains('\u001b', run.Output);
    }
}
