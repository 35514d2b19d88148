using System.Text;
using Ripple.Admin.Editing;

namespace Ripple.Admin.Tests.Editing;

/// <summary>An edit writes as its neighbours are written, and leaves everything else as it is.</summary>
public sealed class JsonEditTests
{
    private const string Shop = """
        {
          // what customers see
          "title": "Shop", // short
          "limits": {
            "max": 3, /* a day */
            "min": 1
          },
          "hosts": [ "a", "b" ],
          "empty": {},
        }

        """;

    public static TheoryData<string, string, string, string> Sets => new()
    {
        { "{\"a\":1}", "/a", "2", "{\"a\":2}" },
        { "{\"a\":1}", "/b", "2", "{\"a\":1,\"b\":2}" },
        { "{\"a\": 1}", "/b", "2", "{\"a\": 1, \"b\": 2}" },
        { "{ \"a\": 1 }", "/b", "2", "{ \"a\": 1, \"b\": 2 }" },
        { "{\"a\" : 1,  \"b\" : 2,}", "/c", "3", "{\"a\" : 1,  \"b\" : 2,  \"c\" : 3,}" },
        { "{}", "/a", "1", "{\n  \"a\": 1\n}" },
        { "{}\r\n", "/a", "1", "{\r\n  \"a\": 1\r\n}\r\n" },
        { "{ // none yet\n}", "/a", "1", "{ // none yet\n  \"a\": 1\n}" },
        { "{ /* none yet */ }", "/a", "1", "{ /* none yet */ \"a\": 1 }" },
        { "{\"o\":{}}", "/o/a", "1", "{\"o\":{\"a\":1}}" },
        { "{\n\t\"o\": { }\n}", "/o/a", "1", "{\n\t\"o\": {\n\t\t\"a\": 1\n\t}\n}" },
        { "{ \"a\": 1 // one\n}", "/b", "2", "{ \"a\": 1, // one\n  \"b\": 2\n}" },
        { "{\n  \"a\": 1 // one\n  // the end\n}", "/b", "2", "{\n  \"a\": 1, // one\n  // the end\n  \"b\": 2\n}" },
        { "{\r\n    \"a\": 1,\r\n}", "/b", "2", "{\r\n    \"a\": 1,\r\n    \"b\": 2,\r\n}" },
        { "{\"a\":[]}", "/a/-", "1", "{\"a\":[1]}" },
        { "{\"a\":[1]}", "/a/-", "2", "{\"a\":[1,2]}" },
        { "{\"a\": [1]}", "/a/-", "2", "{\"a\": [1, 2]}" },
        { "{\"a\": [\n  1\n]}", "/a/-", "2", "{\"a\": [\n  1,\n  2\n]}" },
        { "{\"a\": [1, 2]}", "/a/1", "[3]", "{\"a\": [1, [3]]}" },
        { "{\"a\": [{\"b\": 1}]}", "/a/0/b", "2", "{\"a\": [{\"b\": 2}]}" },
        { "{\"a/b\": {\"~\": 1}}", "/a~1b/~0", "2", "{\"a/b\": {\"~\": 2}}" },
        { "{\"\\u0061\": 1}", "/a", "2", "{\"\\u0061\": 2}" },
        { "{\"\": 1}", "/", "2", "{\"\": 2}" },
        { "{\"a\": 1}", "/\u00fc \"", "2", "{\"a\": 1, \"\u00fc \\\"\": 2}" },
        { "\uFEFF{\"a\": 1}", "/a", "2", "\uFEFF{\"a\": 2}" },
        { "\uFEFF// top\n{\"a\": 1} // end", "", "{\"b\": 2}", "\uFEFF// top\n{\"b\": 2} // end" },
        { "{\r\n\"a\": 1\r\n}", "/a", "{\n\"b\": 2\n}", "{\r\n\"a\": {\r\n\"b\": 2\r\n}\r\n}" },
    };

    public static TheoryData<string, string, string> Unsets => new()
    {
        { "{\"a\":1}", "/a", "{}" },
        { "{ \"a\": 1 }", "/a", "{ }" },
        { "{\"a\":1,\"b\":2}", "/a", "{\"b\":2}" },
        { "{\"a\":1,\"b\":2}", "/b", "{\"a\":1}" },
        { "{ \"a\": 1, \"b\": 2 }", "/b", "{ \"a\": 1 }" },
        { "{ \"a\": 1, \"b\": 2, }", "/b", "{ \"a\": 1, }" },
        { "{ \"a\": 1, }", "/a", "{ }" },
        { "{\"a\":[1,2,3]}", "/a/1", "{\"a\":[1,3]}" },
        { "{\n  \"a\": 1\n}\n", "/a", "{\n}\n" },
        { "{\n  // of a\n  \"a\": 1, // one\n  \"b\": 2\n}", "/a", "{\n  // of a\n  \"b\": 2\n}" },
        { "{\n  \"a\": 1, // one\n  \"b\": {\n    \"c\": 2\n  } // two\n}", "/b", "{\n  \"a\": 1 // one\n}" },
        { "{\r\n  \"a\": 1,\r\n  \"b\": 2,\r\n}", "/b", "{\r\n  \"a\": 1,\r\n}" },
        { "{\n  \"a\": 1\n  , \"b\": 2\n}", "/b", "{\n  \"a\": 1\n  \n}" },
        { "{\n  \"a\": 1, /* of b */ \"b\": 2 }", "/b", "{\n  \"a\": 1 /* of b */  }" },
        { "{\n  \"a\": 1, /* of\n  b */ \"b\": 2\n}", "/a", "{\n  /* of\n  b */ \"b\": 2\n}" },
        { "{\n  \"a\": 1, \"b\": 2,\n  \"c\": 3\n}", "/a", "{\n  \"b\": 2,\n  \"c\": 3\n}" },
    };

    [Theory]
    [MemberData(nameof(Sets))]
    public void A_value_is_set_in_place(string document, string pointer, string value, string expected) =>
        Assert.Equal(expected, Apply(document, JsonEdit.Set(pointer, value)));

    [Theory]
    [MemberData(nameof(Unsets))]
    public void A_value_is_removed_with_its_comma(string document, string pointer, string expected) =>
        Assert.Equal(expected, Apply(document, JsonEdit.Unset(pointer)));

    [Fact]
    public void Only_the_place_changes_in_a_document_that_people_wrote()
    {
        Assert.Equal(Shop.Replace("3, /*", "5, /*", StringComparison.Ordinal), Apply(Shop, JsonEdit.Set("/limits/max", "5")));
        Assert.Equal(
            Shop.Replace("\"min\": 1\n", "\"min\": 1,\n    \"step\": 2\n", StringComparison.Ordinal),
            Apply(Shop, JsonEdit.Set("/limits/step", "2")));
        Assert.Equal(
            Shop.Replace("\"b\" ]", "\"b\", \"c\" ]", StringComparison.Ordinal), Apply(Shop, JsonEdit.SetText("/hosts/-", "c")));
        Assert.Equal(
            Shop.Replace("{},", "{\n    \"x\": null\n  },", StringComparison.Ordinal), Apply(Shop, JsonEdit.Set("/empty/x", "null")));
        Assert.Equal(
            Shop.Replace("  \"empty\": {},\n", "", StringComparison.Ordinal), Apply(Shop, JsonEdit.Unset("/empty")));
        Assert.Equal(
            Shop.Replace(", /* a day */\n    \"min\": 1", " /* a day */", StringComparison.Ordinal),
            Apply(Shop, JsonEdit.Unset("/limits/min")));
    }

    [Fact]
    public void Missing_objects_are_made_where_that_is_asked_for()
    {
        Assert.Equal(
            "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": {\n      \"d\": 2\n    }\n  }\n}",
            Apply("{\n  \"a\": 1\n}", JsonEdit.Set("/b/c/d", "2", createsMissing: true)));
        Assert.Equal("{\"a\":1,\"b\":{\"c\":2}}", Apply("{\"a\":1}", JsonEdit.Set("/b/c", "2", createsMissing: true)));
    }

    [Fact]
    public void A_text_is_quoted()
    {
        Assert.Equal("{\"a\": \"5\"}", Apply("{\"a\": 5}", JsonEdit.SetText("/a", "5")));
        Assert.Equal("{\"a\": \"\\\"\\\\\\n\u00fc\"}", Apply("{\"a\": 5}", JsonEdit.SetText("/a", "\"\\\n\u00fc")));
    }

    [Fact]
    public void An_outcome_tells_what_was_and_what_is()
    {
        JsonEditOutcome set = JsonEdit.Set("/limits/max", " 5 ").Apply(Bytes(Shop));
        JsonEditOutcome added = JsonEdit.Set("/x", "{}").Apply(Bytes(Shop));
        JsonEditOutcome removed = JsonEdit.Unset("/limits/max").Apply(Bytes(Shop));

        Assert.Equal(("3", "5", true), (set.Before, set.After, set.IsChanged));
        Assert.Equal((null, "{}", true), (added.Before, added.After, added.IsChanged));
        Assert.Equal(("3", null, true), (removed.Before, removed.After, removed.IsChanged));
    }

    [Theory]
    [InlineData("/title", "\"S\\u0068op\"")]
    [InlineData("/hosts", "[\"a\",\"b\"]")]
    [InlineData("/empty", "{ }")]
    public void What_says_the_same_changes_nothing(string pointer, string value)
    {
        byte[] document = Bytes(Shop);

        JsonEditOutcome outcome = JsonEdit.Set(pointer, value).Apply(document);

        Assert.False(outcome.IsChanged);
        Assert.True(outcome.Document.Equals(document));
    }

    [Theory]
    [InlineData("/x")]
    [InlineData("/limits/x/y")]
    public void What_is_not_there_needs_no_removal(string pointer) => Assert.False(JsonEdit.Unset(pointer).Apply(Bytes(Shop)).IsChanged);

    [Fact]
    public void Another_way_to_write_a_number_is_another_value() =>
        Assert.True(JsonEdit.Set("/limits/max", "3.0").Apply(Bytes(Shop)).IsChanged);

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    private static string Apply(string document, JsonEdit edit) =>
        Encoding.UTF8.GetString(edit.Apply(Bytes(document)).Document.Span);
}
