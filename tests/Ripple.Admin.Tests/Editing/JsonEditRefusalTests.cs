using System.Text;
using Ripple.Admin.Editing;

namespace Ripple.Admin.Tests.Editing;

/// <summary>What an edit refuses, and what it says of it.</summary>
public sealed class JsonEditRefusalTests
{
    private const string Document = "{\n  \"a\": { \"b\": 1 },\n  \"c\": [1, 2],\n  \"d\": null\n}";

    [Theory]
    [InlineData("/a/b/c", 2, 15, "'/a/b' is a number, which has no parts")]
    [InlineData("/d/e", 4, 8, "'/d' is null, which has no parts")]
    [InlineData("/c/x", 3, 8, "'/c' is an array, and 'x' is no index")]
    [InlineData("/c/01", 3, 8, "'01' is no index")]
    [InlineData("/c/+1", 3, 8, "'+1' is no index")]
    [InlineData("/c/", 3, 8, "'' is no index")]
    [InlineData("/c/2", 3, 13, "'/c' has 2 elements, and none at index 2")]
    [InlineData("/c/99999999999999999999", 3, 13, "none at index 99999999999999999999")]
    [InlineData("/c/-/x", 3, 13, "'-' is the place behind the last element of '/c'")]
    [InlineData("/x/y", 1, 1, "The document has no 'x' (line 1, column 1). Set that first, or have missing objects made (--create).")]
    [InlineData("/A", 2, 3, "The document has no 'A', but \"a\", which is the same name for .NET configuration")]
    [InlineData("/a/B", 2, 10, "'/a' has no 'B', but \"b\"")]
    public void A_place_that_is_not_there_is_told_with_where(string pointer, int line, int column, string said) =>
        Refused(Document, JsonEdit.Set(pointer, "1"), line, column, said);

    [Theory]
    [InlineData("/c/2", 3, 13, "none at index 2")]
    [InlineData("/c/-", 3, 13, "where nothing is")]
    [InlineData("/a/b/c", 2, 15, "which has no parts")]
    [InlineData("/A", 2, 3, "which is the same name")]
    public void A_removal_is_refused_alike(string pointer, int line, int column, string said) =>
        Refused(Document, JsonEdit.Unset(pointer), line, column, said);

    [Theory]
    [InlineData("{\"a\": 1, \"A\": 2}", 1, 10)]
    [InlineData("{\"A\": 1,\n \"a\": 2}", 1, 2)]
    [InlineData("{\"a\": 1,\n \"\\u0061\": 2}", 2, 2)]
    public void A_name_that_is_there_twice_is_refused(string document, int line, int column) =>
        Refused(document, JsonEdit.Set("/a", "3"), line, column, "has 'a' twice; names that differ by case only are one");

    [Fact]
    public void A_name_that_is_there_twice_elsewhere_is_no_obstacle() =>
        Assert.True(JsonEdit.Set("/b", "3").Apply("{\"a\": 1, \"a\": 2, \"b\": {\"x\": 1, \"x\": 2}}"u8.ToArray()).IsChanged);

    [Theory]
    [InlineData("", 1, 1, "The document is not JSON")]
    [InlineData("{\n  \"\u00fc\": x }", 2, 8, "The document is not JSON: 'x' is an invalid start of a value")]
    [InlineData("{} {}", 1, 4, "The document is not JSON")]
    [InlineData("{\"a\": \"\\ud800\"}", 1, 7, "half of a surrogate pair")]
    [InlineData("[1]", 1, 1, "The document is no object")]
    [InlineData("\uFEFF5", 1, 1, "The document is no object")]
    public void A_document_that_configuration_does_not_take_is_refused(string document, int line, int column, string said) =>
        Refused(document, JsonEdit.Set("/0", "1"), line, column, said);

    [Fact]
    public void A_document_that_is_not_utf8_is_refused()
    {
        byte[] document = [.. "{\n \"a\": \""u8, 0xC3, .. "\"}"u8];

        JsonEditException refusal = Assert.Throws<JsonEditException>(() => JsonEdit.Set("/a", "1").Apply(document));

        Assert.Equal((2, 8), (refusal.Line, refusal.Column));
        Assert.Contains("not UTF-8 (line 2, column 8)", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_document_may_not_become_what_configuration_does_not_take() =>
        Refused("{}", JsonEdit.Set("", "[1]"), 1, 1, "The document would be no object");

    [Fact]
    public void Missing_objects_are_made_and_arrays_are_not() =>
        Refused("{}", JsonEdit.Set("/a/-", "1", createsMissing: true), 1, 1, "Set the array '/a' itself");

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void Depth_is_bounded(int depth, bool isTaken)
    {
        string document = string.Concat(Enumerable.Repeat("{\"a\":", depth)) + "1" + new string('}', depth);
        string pointer = string.Concat(Enumerable.Repeat("/a", 64));

        Exception? refusal = Record.Exception(() => JsonEdit.Set(pointer, "2").Apply(Encoding.UTF8.GetBytes(document)));

        Assert.Equal(isTaken, refusal is null);
        Assert.True(isTaken || refusal is JsonEditException);
        Assert.Contains("64 deep", Assert.Throws<FormatException>(() => JsonEdit.Unset(pointer + "/a")).Message, StringComparison.Ordinal);
        Assert.Contains(
            "deeper than 64", Assert.Throws<FormatException>(() => JsonEdit.Set(pointer, "[]")).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a", "does not begin with '/'")]
    [InlineData("#/a", "does not begin with '/'")]
    [InlineData("/a~", "without 0 or 1 behind it")]
    [InlineData("/a~2b", "Write '~' as ~0")]
    public void What_is_no_pointer_is_refused(string pointer, string said) =>
        Assert.Contains(said, Assert.Throws<FormatException>(() => JsonEdit.Set(pointer, "1")).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("eu-1", "The value is not JSON: 'e' is an invalid start of a value (line 1, column 1). Write a text with its quotation")]
    [InlineData("", "The value is not JSON")]
    [InlineData("1 // one", "The value is not JSON")]
    [InlineData("[1,]", "The value is not JSON")]
    [InlineData("1 2", "The value is not JSON")]
    [InlineData("{\"a\": 1,\n\"A\": 2}", "has the name 'A' twice (line 2, column 1)")]
    [InlineData("\"\\udc00\"", "half of a surrogate pair")]
    public void A_value_that_is_not_json_is_refused(string value, string said) =>
        Assert.Contains(said, Assert.Throws<FormatException>(() => JsonEdit.Set("/a", value)).Message, StringComparison.Ordinal);

    [Fact]
    public void The_whole_document_is_not_removed_from_itself() =>
        Assert.Contains("Remove the key", Assert.Throws<FormatException>(() => JsonEdit.Unset("")).Message, StringComparison.Ordinal);

    [Fact]
    public void Half_of_a_surrogate_pair_is_refused_as_text_and_in_a_pointer()
    {
        Assert.Throws<FormatException>(() => JsonEdit.SetText("/a", "\ud800"));
        Assert.Throws<FormatException>(() => JsonEdit.Set("/a", "\"\ud800\""));
        Assert.Throws<FormatException>(() => JsonEdit.Unset("/\udc00"));
    }

    private static void Refused(string document, JsonEdit edit, int line, int column, string said)
    {
        JsonEditException refusal = Assert.Throws<JsonEditException>(() => edit.Apply(Encoding.UTF8.GetBytes(document)));

        Assert.Contains(said, refusal.Message, StringComparison.Ordinal);
        Assert.Equal((line, column), (refusal.Line, refusal.Column));
    }
}
