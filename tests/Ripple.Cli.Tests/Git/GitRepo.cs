using System.Diagnostics;

namespace Ripple.Cli.Tests.Git;

/// <summary>A repository made for a test, that knows nothing of the machine's configuration.</summary>
internal sealed class GitRepo
{
    public GitRepo(string path)
    {
        Path = path;
        Directory.CreateDirectory(path);
        Run("init", "--quiet", "--initial-branch=main");
    }

    public string Path { get; }

    /// <summary>Writes a file and commits it; the commit's id.</summary>
    public string Commit(
        string file,
        byte[]? bytes,
        string message,
        string author = "Ada Lovelace",
        string email = "ada@example.org",
        string date = "2020-01-02T03:04:05+02:00")
    {
        string path = System.IO.Path.Combine(Path, file);
        if (bytes is null)
        {
            File.Delete(path);
        }
        else
        {
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
            File.WriteAllBytes(path, bytes);
        }

        Run("add", "--all");
        RunAs(author, email, date, "commit", "--quiet", "--allow-empty", "--message", message);
        return Run("rev-parse", "HEAD").Trim();
    }

    public string Run(params string[] arguments) => RunAs("Tester", "tester@example.org", "2020-01-01T00:00:00Z", arguments);

    private string RunAs(string author, string email, string date, params string[] arguments)
    {
        var start = new ProcessStartInfo(
            "git", ["-C", Path, "-c", "commit.gpgSign=false", "-c", "core.autocrlf=false", "-c", "gc.auto=0", .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["GIT_CONFIG_GLOBAL"] = "/dev/null";
        start.Environment["GIT_CONFIG_NOSYSTEM"] = "1";
        start.Environment["GIT_AUTHOR_NAME"] = author;
        start.Environment["GIT_AUTHOR_EMAIL"] = email;
        start.Environment["GIT_AUTHOR_DATE"] = date;
        start.Environment["GIT_COMMITTER_NAME"] = "Committer";
        start.Environment["GIT_COMMITTER_EMAIL"] = "committer@example.org";
        start.Environment["GIT_COMMITTER_DATE"] = date;
        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"git {string.Join(' ', arguments)}: {error.Result}");
        return output;
    }
}
