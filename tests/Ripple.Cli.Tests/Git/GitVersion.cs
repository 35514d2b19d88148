using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Ripple.Cli.Tests.Git;

/// <summary>A version of a file that a test committed, and what its release has to look like.</summary>
internal sealed record GitVersion(string Commit, byte[] Bytes, string Author, string Email, string Date, string Subject)
{
    /// <summary>Commits so many versions of a file, by several authors, and other files between them.</summary>
    public static List<GitVersion> Make(GitRepo repo, string file, int count)
    {
        var versions = new List<GitVersion>();
        for (int i = 0; i < count; i++)
        {
            string text = string.Create(
                CultureInfo.InvariantCulture,
                $"{{\r\n  \"version\": {i},\n  \"umlaut\": \"ü\",\t\"pad\": \"{new string('x', i * 37 % 400)}\" "
                    + $"}}{(i % 2 == 0 ? "\n" : "")}");
            byte[] bytes = Encoding.UTF8.GetBytes(text);
            string author = $"Author {i % 7} Ü";
            string email = $"a{i % 7}@example.org";
            string date = string.Create(CultureInfo.InvariantCulture, $"2020-{1 + (i / 28):D2}-{1 + (i % 28):D2}T10:{i % 60:D2}:00+02:00");
            string subject = string.Create(CultureInfo.InvariantCulture, $"Change {i}: größer");
            if (i % 50 == 10)
            {
                repo.Commit("another", bytes, "another file");
            }

            versions.Add(new GitVersion(repo.Commit(file, bytes, subject, author, email, date), bytes, author, email, date, subject));
        }

        return versions;
    }

    /// <summary>The releases of an application are these versions, once each and in order: bytes, authors, dates.</summary>
    public static async Task CheckAsync(CommandLine cli, string application, string key, List<GitVersion> versions)
    {
        JsonElement[] history =
            [.. (await cli.RunAsync("history", application, "--count", "1000", "-o", "json")).Done().Json.EnumerateArray().Reverse()];
        Assert.Equal(versions.Count, history.Length);
        for (int i = 0; i < versions.Count; i++)
        {
            GitVersion version = versions[i];
            Assert.Equal(i + 1, history[i].GetProperty("release").GetInt32());
            Assert.Equal(
                $"{version.Subject}\nauthor: {version.Author} <{version.Email}>\nauthor date: {version.Date}\ncommit id: {version.Commit}",
                history[i].GetProperty("note").GetString());
            CliRun value = (await cli.RunAsync("get", application, key, "--release", (i + 1).ToString(CultureInfo.InvariantCulture)))
                .Done();
            Assert.Equal(version.Bytes, value.OutputBytes);
        }
    }
}
