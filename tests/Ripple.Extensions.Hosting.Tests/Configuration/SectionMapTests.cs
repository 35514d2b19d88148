using System.Text;
using Microsoft.Extensions.Configuration;
using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;

namespace Ripple.Extensions.Hosting.Tests.Configuration;

/// <summary>The rows of docs/guide/configuration-keys.md.</summary>
public sealed class SectionMapTests
{
    [Theory]
    [InlineData("Shop.json", """{ "Title": "x", "Deep": { "Er": 1 } }""", "Shop:Deep:Er=1 Shop:Title=x")]
    [InlineData("Shop", """{ "Title": "x" }""", "Shop:Title=x")]
    [InlineData("appsettings.json", """{ "Shop": { "Title": "x" } }""", "Shop:Title=x")]
    [InlineData("shop/limits.json", """{ "Max": 5 }""", "shop:limits:Max=5")]
    [InlineData("shop:limits", """{ "Max": 5 }""", "shop:limits:Max=5")]
    [InlineData("Hosts.json", """["a", "b", { "c": "d" }]""", "Hosts:0=a Hosts:1=b Hosts:2:c=d")]
    [InlineData("Hosts.json", "[]", "Hosts=''")]
    [InlineData("Shop.json", """{ "Title": null }""", "Shop:Title=null")]
    [InlineData("Title.json", "null", "Title=null")]
    [InlineData("Limit", "5", "Limit=5")]
    [InlineData("Limit.json", "1.50", "Limit=1.50")]
    [InlineData("IsOpen", "true", "IsOpen=True")]
    [InlineData("Title", "\"quoted \\u00fc\"", "Title=quoted ü")]
    [InlineData("Title", "just text, not { JSON", "Title=just text, not { JSON")]
    [InlineData("Title", "", "Title=''")]
    [InlineData("Title", "one line\n", "Title=one line")]
    [InlineData("Title", "one line\r\n", "Title=one line")]
    [InlineData("Title", "two\nlines\n\n", "Title=two\nlines\n")]
    [InlineData("Title", "\n", "Title=''")]
    [InlineData("Title", "\"kept\\n\"\n", "Title=kept\n")]
    [InlineData("Shop.JSON", """{ "Title": "x" }""", "Shop:Title=x")]
    [InlineData("Shop.yaml", "Max: 1\n", "Shop.yaml=Max: 1")]
    [InlineData("Shop.json", "{}", "Shop=null")]
    [InlineData("appsettings.json", "{}", "")]
    [InlineData("Shop.json", """{ /* why */ "Title": "x", }""", "Shop:Title=x")]
    [InlineData("Shop.json", "\uFEFF{ \"Title\": \"x\" }", "Shop:Title=x")]
    [InlineData(".json", "1", ".json=1")]
    public void A_key_becomes_a_section(string key, string text, string expected) =>
        Assert.Equal(expected, Text(Spread(new RippleOptions(), (key, text))));

    [Theory]
    [InlineData("The keys 'Limits' and 'Limits.json' are the same section 'Limits'.", "Limits", "1", "Limits.json", "2")]
    [InlineData("The keys 'a/b' and 'a:b' are the same section 'a:b'.", "a/b", "1", "a:b", "2")]
    [InlineData("The keys 'Shop' and 'shop' are the same section 'shop'.", "Shop", """{ "a": 1 }""", "shop", """{ "b": 1 }""")]
    [InlineData("The keys 'Shop.json' and 'Shop/Max' both say 'Shop:Max'.", "Shop.json", """{ "Max": 1 }""", "Shop/Max", "2")]
    [InlineData(
        "The keys 'Shop/Max' and 'appsettings.json' both say 'shop:max'.",
        "appsettings.json",
        """{ "shop": { "max": 1 } }""",
        "Shop/Max",
        "2")]
    [InlineData("The key 'Shop' says 'Shop:a' twice.", "Shop", """{ "A": 1, "a": 2 }""", "Other", "1")]
    [InlineData("The key 'Shop.json' is not JSON: line 1, byte 3.", "Shop.json", "{ secret", "Other", "1")]
    [InlineData("The key 'Shop.Json' is not JSON: line 1, byte 3.", "Shop.Json", "{ secret", "Other", "1")]
    [InlineData("The keys 'Shop.JSON' and 'Shop.json' are the same section 'Shop'.", "Shop.json", "{}", "Shop.JSON", "{}")]
    [InlineData(
        "The key 'appsettings.json' is spread at the root, and its JSON is not an object.", "appsettings.json", "[1]", "Other", "1")]
    public void What_is_not_clear_is_rejected_with_the_keys_named(
        string expected, string key, string text, string otherKey, string otherText)
    {
        RippleRelease release = Release((key, text), (otherKey, otherText));

        Assert.Null(new SectionMap(new RippleOptions()).TryFlatten(release, out IReadOnlyList<string> errors));

        Assert.StartsWith(expected, Assert.Single(errors), StringComparison.Ordinal);
        Assert.DoesNotContain("secret", errors[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Keys_that_say_different_things_share_a_section() =>
        Assert.Equal("Shop:Max=1 Shop:Min=0", Text(Spread(new RippleOptions(), ("Shop.json", """{ "Max": 1 }"""), ("Shop/Min", "0"))));

    [Fact]
    public void What_is_not_text_is_no_configuration()
    {
        RippleRelease release = new()
        {
            Application = "shop",
            Release = 1,
            Values = new Dictionary<string, ReadOnlyMemory<byte>> { ["logo"] = new byte[] { 0x89, 0xFF, 0x00 } },
        };
        FlatConfiguration? flat = new SectionMap(new RippleOptions()).TryFlatten(release, out _);
        Assert.Equal(0, flat!.Count);
    }

    [Fact]
    public void Only_the_keys_named_become_configuration()
    {
        var options = new RippleOptions { RootKey = "base" };
        options.Keys.Add("base");
        options.Keys.Add("shop/*");
        Assert.Equal(
            "Title=x shop:a=1",
            Text(
                Spread(
                    options,
                    ("base", """{ "Title": "x" }"""),
                    ("shop/a", "1"),
                    ("shopping", "2"),
                    ("bases", "3"),
                    ("appsettings.json", "not JSON"))));
    }

    [Fact]
    public void Everything_can_be_put_below_a_section() =>
        Assert.Equal(
            "My:Remote:Shop:Title=x My:Remote:a=1",
            Text(Spread(new RippleOptions { Prefix = "My:Remote" }, ("appsettings.json", """{ "Shop": { "Title": "x" } }"""), ("a", "1"))));

    [Theory]
    [InlineData("""{ "a": { "b": [1, "2", true, false, null, {}, [], 1e5], "C": "" }, "d": {}, "e": [], "f": null }""")]
    [InlineData("""{ "10": 1, "9": 2, "a": { "x:y": 3 }, "A2": [[1], [2, 3]] }""")]
    [InlineData("{}")]
    public void A_document_is_spread_as_JSON_files_are(string json)
    {
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(json));
        IConfigurationRoot expected = new ConfigurationBuilder().AddJsonStream(stream).Build();
        FlatConfiguration flat = Spread(new RippleOptions(), ("appsettings.json", json));
        Assert.Equal(Walk(expected), Walk(new ConfigurationBuilder().Add(new FlatSource(flat)).Build()));
    }

    [Fact]
    public void Paths_that_would_fill_the_memory_are_rejected_by_the_name_of_their_key()
    {
        // 120 KB under a long name say 8 GB; neither key alone is over the bound in the second case.
        string name = new('n', 60_000);
        string bomb = $$"""{"{{name}}":[{{string.Join(',', Enumerable.Repeat('1', 60_000))}}]}""";
        string half = $$"""{"{{name}}":[{{string.Join(',', Enumerable.Repeat('1', 600))}}]}""";
        long before = GC.GetAllocatedBytesForCurrentThread();

        Assert.Contains("'bomb'", Assert.Single(Errors(("bomb", bomb))), StringComparison.Ordinal);
        Assert.Contains("'two'", Assert.Single(Errors(("one", half), ("two", half))), StringComparison.Ordinal);
        Spread(new RippleOptions(), ("one", half));

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 800L * 1024 * 1024);
    }

    private static IReadOnlyList<string> Errors(params (string Key, string Text)[] values)
    {
        Assert.Null(new SectionMap(new RippleOptions()).TryFlatten(Release(values), out IReadOnlyList<string> errors));
        return errors;
    }

    private static List<string> Walk(IConfiguration configuration) =>
        [.. configuration.AsEnumerable().Select(p => $"{p.Key}={(p.Value is null ? "null" : $"'{p.Value}'")}")];

    private static FlatConfiguration Spread(RippleOptions options, params (string Key, string Text)[] values)
    {
        FlatConfiguration? flat = new SectionMap(options).TryFlatten(Release(values), out IReadOnlyList<string> errors);
        Assert.True(flat is not null, string.Join(' ', errors));
        return flat;
    }

    private static RippleRelease Release(params (string Key, string Text)[] values) => new()
    {
        Application = "shop",
        Release = 1,
        Values = values.ToDictionary(v => v.Key, v => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(v.Text)),
    };

    private static string Text(FlatConfiguration flat)
    {
        var found = new List<string>();
        Visit(null);
        return string.Join(' ', found.Order(StringComparer.Ordinal));

        void Visit(string? parent)
        {
            foreach (string child in flat.ChildrenOf(parent))
            {
                string path = parent is null ? child : $"{parent}:{child}";
                if (flat.TryGet(path, out string? value))
                {
                    found.Add($"{path}={(value is null ? "null" : value.Length == 0 ? "''" : value)}");
                }

                Visit(path);
            }
        }
    }

    private sealed class FlatSource(FlatConfiguration flat) : ConfigurationProvider, IConfigurationSource
    {
        public IConfigurationProvider Build(IConfigurationBuilder builder) => this;

        public override bool TryGet(string key, out string? value) => flat.TryGet(key, out value);

        public override IEnumerable<string> GetChildKeys(IEnumerable<string> earlierKeys, string? parentPath) =>
            flat.ChildrenOf(parentPath);
    }
}
