using System.Text;
using Ripple.Admin.Git;

namespace Ripple.Cli.Tests.Git;

public sealed class GitNoteTests
{
    private static readonly GitCommit Commit = new(
        "0123456789abcdef", "Ada", "ada@example.org", "2020-01-02T03:04:05+02:00", "Raise the limit");

    [Fact]
    public void Note_names_subject_author_date_and_commit() =>
        Assert.Equal(
            "Raise the limit\nauthor: Ada <ada@example.org>\nauthor date: 2020-01-02T03:04:05+02:00\ncommit id: 0123456789abcdef",
            GitImport.Note(Commit));

    [Theory]
    [InlineData("a")]
    [InlineData("é")]
    [InlineData("𝄞")]
    public void Note_that_is_too_long_is_cut_between_characters(string character)
    {
        string note = GitImport.Note(
            Commit with
            {
                Subject = string.Concat(Enumerable.Repeat(character, 3_000)),
                AuthorName = string.Concat(Enumerable.Repeat(character, 3_000)),
            });

        int bytes = new UTF8Encoding(false, throwOnInvalidBytes: true).GetByteCount(note);
        Assert.InRange(bytes, 2_048 - 4, 2_048);
        Assert.EndsWith("\ncommit id: 0123456789abcdef", note, StringComparison.Ordinal);
        Assert.Contains("...\nauthor: " + character, note, StringComparison.Ordinal);
    }

    [Fact]
    public void Note_has_no_control_characters_of_others() =>
        Assert.StartsWith(
            "a b c\nauthor: A da <",
            GitImport.Note(Commit with { Subject = "a\u001bb\u202Ec", AuthorName = "A\tda" }),
            StringComparison.Ordinal);

    [Fact]
    public void Publish_id_follows_from_application_key_and_commit_alone()
    {
        Guid id = GitImport.PublishId("shop", "a.json", "c1");

        Assert.Equal(id, GitImport.PublishId("shop", "a.json", "c1"));
        Assert.Equal(Guid.Parse("74e677b3-526d-8bfe-bfc8-ec99dbc96926"), id);
        Assert.Equal(4, new[]
        {
            id,
            GitImport.PublishId("shopa", ".json", "c1"),
            GitImport.PublishId("shop", "b.json", "c1"),
            GitImport.PublishId("shop", "a.json", "c2"),
        }.Distinct().Count());
    }
}
