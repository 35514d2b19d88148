using Ripple.Admin;
using Ripple.Admin.Git;

namespace Ripple.Cli.Tests.Git;

/// <summary>
/// Repositories whose own configuration names programs: reading them runs none. Alone, since one test sets a variable of the process.
/// </summary>
[CollectionDefinition(nameof(GitHostileTests), DisableParallelization = true)]
[Collection(nameof(GitHostileTests))]
public sealed class GitHostileTests : IDisposable
{
    private readonly TestFolder _folder = new();

    private string Marker => _folder.PathOf("ran");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_missing_value_is_not_fetched_by_the_program_a_repository_names()
    {
        GitRepo repo = new(_folder.PathOf("repo"));
        string commit = repo.Commit("a", "1"u8.ToArray(), "one");
        string blob = repo.Run("rev-parse", $"{commit}:a").Trim();
        File.Delete(Path.Combine(repo.Path, ".git", "objects", blob[..2], blob[2..]));
        repo.Run("config", "core.repositoryFormatVersion", "1");
        repo.Run("config", "extensions.partialClone", "origin");
        repo.Run("config", "remote.origin.promisor", "true");
        repo.Run("config", "remote.origin.url", repo.Path);
        repo.Run("config", "remote.origin.uploadPack", $"touch '{Marker}'; git-upload-pack");

        RippleAdminException refused = await Assert.ThrowsAsync<RippleAdminException>(() => ReadAsync(repo));

        Assert.False(File.Exists(Marker), "A command of the repository ran.");
        // It is there in the commit: a removal would be a lie.
        Assert.Contains("is not in", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task No_hook_monitor_or_verifier_of_the_repository_runs()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Programs of a repository are run by a shell here.");
            return;
        }

        GitRepo repo = new(_folder.PathOf("repo"));
        string program = _folder.PathOf("program");
        File.WriteAllText(program, $"#!/bin/sh\ntouch '{Marker}'\n");
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        repo.Commit("a", "1"u8.ToArray(), "one");
        foreach (string name in (string[])["core.fsmonitor", "core.pager", "gpg.program", "core.sshCommand", "credential.helper"])
        {
            repo.Run("config", name, program);
        }

        repo.Run("config", "log.showSignature", "true");

        Assert.Equal("1"u8.ToArray(), await ReadAsync(repo));
        Assert.False(File.Exists(Marker), "A command of the repository ran.");
    }

    [Fact]
    public async Task A_variable_of_git_does_not_lead_to_another_repository()
    {
        GitRepo repo = new(_folder.PathOf("repo"));
        GitRepo other = new(_folder.PathOf("other"));
        repo.Commit("a", "1"u8.ToArray(), "one");
        other.Commit("a", "2"u8.ToArray(), "two");
        Environment.SetEnvironmentVariable("GIT_OBJECT_DIRECTORY", Path.Combine(other.Path, ".git", "objects"));
        try
        {
            Assert.Equal("1"u8.ToArray(), await ReadAsync(repo));
        }
        finally
        {
            Environment.SetEnvironmentVariable("GIT_OBJECT_DIRECTORY", null);
        }
    }

    private static async Task<byte[]?> ReadAsync(GitRepo repo)
    {
        CancellationToken cancel = TestContext.Current.CancellationToken;
        GitFileHistory history = await GitFileHistory.ReadAsync(
            new GitImportOptions { Repository = repo.Path, Path = "a", Application = "shop", Key = "a" }, cancel);
        using var reader = new GitFileReader(history);
        return await reader.ReadAsync(history.Commits[^1], cancel);
    }
}
