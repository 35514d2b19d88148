using System.Text;
using Ripple.Admin;
using Ripple.Admin.Git;

namespace Ripple.Cli.Tests.Git;

public sealed class GitFileHistoryTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly GitRepo _repo;

    public GitFileHistoryTests() => _repo = new GitRepo(_folder.PathOf("repo"));

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Commits_of_the_file_come_oldest_first_with_their_authors()
    {
        string first = Commit("conf/a.json", "1", "first\n\nbody", "Ada Ł", "ada@example.org", "2020-01-02T03:04:05+02:00");
        Commit("conf/b.json", "1", "another file");
        string second = Commit("conf/a.json", "2", "second");
        string gone = Commit("conf/a.json", null, "removed");

        GitFileHistory history = await GitFileHistory.ReadAsync(Options("conf/a.json"), Cancel);

        Assert.Equal([first, second, gone], history.Commits.Select(c => c.Id));
        Assert.Equal(new GitCommit(first, "Ada Ł", "ada@example.org", "2020-01-02T03:04:05+02:00", "first"), history.Commits[0]);
        using var reader = new GitFileReader(history);
        Assert.Equal("1"u8.ToArray(), await reader.ReadAsync(history.Commits[0], Cancel));
        Assert.Equal("2"u8.ToArray(), await reader.ReadAsync(history.Commits[1], Cancel));
        Assert.Null(await reader.ReadAsync(history.Commits[2], Cancel));
        Assert.Equal("1"u8.ToArray(), await reader.ReadAsync(history.Commits[0], Cancel));
    }

    [Fact]
    public async Task Bytes_are_those_of_the_commit()
    {
        byte[][] values =
        [
            [],
            [0, 10, 13, 10, 255, 0],
            "no line end"u8.ToArray(),
            "\r\n\n"u8.ToArray(),
            [.. Enumerable.Range(0, 300_000).Select(i => (byte)(i * 7))],
        ];
        for (int i = 0; i < values.Length; i++)
        {
            _repo.Commit("x", values[i], $"value {i}");
        }

        GitFileHistory history = await GitFileHistory.ReadAsync(Options("x"), Cancel);

        using var reader = new GitFileReader(history);
        for (int i = 0; i < values.Length; i++)
        {
            Assert.Equal(values[i], await reader.ReadAsync(history.Commits[i], Cancel));
        }
    }

    [Fact]
    public async Task Paths_are_relative_to_the_folder_and_taken_literally()
    {
        Commit("sub/deep/a*.json", "star", "odd name");
        Commit("sub/deep/ab.json", "other", "not meant");

        GitFileHistory history = await GitFileHistory.ReadAsync(
            Options("./deep/x/../a*.json") with { Repository = Path.Combine(_repo.Path, "sub") }, Cancel);

        Assert.Equal("odd name", Assert.Single(history.Commits).Subject);
        using var reader = new GitFileReader(history);
        Assert.Equal("star"u8.ToArray(), await reader.ReadAsync(history.Commits[0], Cancel));
    }

    [Fact]
    public async Task Merged_branches_bring_every_commit_or_with_first_parent_the_merge_alone()
    {
        Commit("a", "1\n2\n3\n4\n5\n6\n7\n", "base");
        _repo.Run("checkout", "--quiet", "-b", "side");
        Commit("a", "1\n2\n3\n4\n5\n6\nseven\n", "on the side");
        _repo.Run("checkout", "--quiet", "main");
        Commit("a", "one\n2\n3\n4\n5\n6\n7\n", "on main");
        _repo.Run("merge", "--quiet", "--no-ff", "--message", "the merge", "side");

        string[] all = await SubjectsAsync(Options("a"));
        string[] first = await SubjectsAsync(Options("a") with { IsFirstParentOnly = true });

        Assert.Equal(["base", "on main", "on the side", "the merge"], all.Order(StringComparer.Ordinal));
        Assert.Equal("base", all[0]);
        Assert.Equal("the merge", all[^1]);
        Assert.Equal(["base", "on main", "the merge"], first);
    }

    [Fact]
    public async Task Reference_says_where_the_history_ends()
    {
        Commit("a", "1", "first");
        _repo.Run("tag", "v1");
        Commit("a", "2", "second");

        Assert.Equal(["first"], await SubjectsAsync(Options("a") with { Reference = "v1" }));
        Assert.Equal(["first", "second"], await SubjectsAsync(Options("a") with { Reference = "main" }));
    }

    [Theory]
    [InlineData("nothing", "HEAD", "No commit up to 'HEAD' has a file 'nothing'")]
    [InlineData("a", "nowhere", "rev-parse failed")]
    [InlineData("a", "--output=/tmp/x", "not a branch, a tag or a commit")]
    [InlineData("../a", "HEAD", "leads out of the repository")]
    [InlineData("", "HEAD", "not the path of a file")]
    public async Task What_is_not_there_is_named(string path, string reference, string said)
    {
        Commit("a", "1", "first");

        RippleAdminException e = await Assert.ThrowsAsync<RippleAdminException>(
            () => GitFileHistory.ReadAsync(Options(path) with { Reference = reference }, Cancel));

        Assert.Equal(AdminFailure.Refused, e.Failure);
        Assert.Contains(said, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Folder_that_is_no_repository_is_named()
    {
        string folder = Directory.CreateDirectory(_folder.PathOf("plain")).FullName;

        RippleAdminException plain = await Assert.ThrowsAsync<RippleAdminException>(
            () => GitFileHistory.ReadAsync(Options("a") with { Repository = folder }, Cancel));
        RippleAdminException missing = await Assert.ThrowsAsync<RippleAdminException>(
            () => GitFileHistory.ReadAsync(Options("a") with { Repository = folder + "x" }, Cancel));

        Assert.Contains("not a git repository", plain.Message, StringComparison.Ordinal);
        Assert.Contains("There is no folder", missing.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Directory_is_not_a_file()
    {
        Commit("a/b", "1", "first");
        GitFileHistory history = await GitFileHistory.ReadAsync(Options("a"), Cancel);
        using var reader = new GitFileReader(history);

        RippleAdminException e = await Assert.ThrowsAsync<RippleAdminException>(() => reader.ReadAsync(history.Commits[0], Cancel));

        Assert.Contains("is a tree", e.Message, StringComparison.Ordinal);
    }

    private string Commit(
        string file,
        string? text,
        string message,
        string author = "Ada Lovelace",
        string email = "ada@example.org",
        string date = "2020-01-02T03:04:05+02:00") =>
        _repo.Commit(file, text is null ? null : Encoding.UTF8.GetBytes(text), message, author, email, date);

    private GitImportOptions Options(string path) => new() { Repository = _repo.Path, Path = path, Application = "shop" };

    private static async Task<string[]> SubjectsAsync(GitImportOptions options) =>
        [.. (await GitFileHistory.ReadAsync(options, Cancel)).Commits.Select(c => c.Subject)];
}
