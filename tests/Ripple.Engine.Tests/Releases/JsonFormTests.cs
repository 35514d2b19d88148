using System.Text;
using Microsoft.Extensions.Configuration;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

/// <summary>Every document here is also given to the real provider: the two must agree.</summary>
public sealed class JsonFormTests
{
    [Theory]
    [InlineData("{}")]
    [InlineData("{ }\n")]
    [InlineData("{\"a\":1}")]
    [InlineData("{\"a\":null,\"b\":true,\"c\":false,\"d\":-1.5e300,\"e\":\"x\"}")]
    [InlineData("{\"a\":1,}")]
    [InlineData("{\"a\":[1,2,],}")]
    [InlineData("// first\n{ /* second */ \"a\": 1 } // last")]
    [InlineData("\uFEFF{\"a\":1}")]
    [InlineData("\uFEFF// comment\r\n{\r\n\"a\":1}\r\n")]
    [InlineData("{\"a\":{\"b\":1},\"a\":{\"c\":2}}")]
    [InlineData("{\"a\":{},\"a\":{}}")]
    [InlineData("{\"a\":1,\"a\":{}}")]
    [InlineData("{\"a\":[],\"a\":{}}")]
    [InlineData("{\"a\":1,\"a\":[]}")]
    [InlineData("{\"a\":{\"b\":1},\"a\":[2]}")]
    [InlineData("{\"\":1}")]
    [InlineData("{\"\":{\"\":1}}")]
    [InlineData("{\"\\u0041\":1,\"b\":2}")]
    [InlineData("{\"\\uD83D\\uDE00\":\"\\uD83D\\uDE00\"}")]
    [InlineData("{\"a\":123456789012345678901234567890}")]
    [InlineData("{\"a\":[[1],[2]],\"a:1:1\":3}")]
    public void Documents_that_configuration_loads_are_accepted(string document) => Same(document, isAccepted: true);

    [Theory]
    [InlineData("")]
    [InlineData(" \n")]
    [InlineData("// nothing")]
    [InlineData("\uFEFF")]
    [InlineData("\uFEFF\uFEFF{}")]
    [InlineData("[]")]
    [InlineData("[{}]")]
    [InlineData("1")]
    [InlineData("null")]
    [InlineData("\"a\"")]
    [InlineData("{")]
    [InlineData("{}}")]
    [InlineData("{} {}")]
    [InlineData("{\"a\"}")]
    [InlineData("{\"a\":}")]
    [InlineData("{a:1}")]
    [InlineData("{'a':1}")]
    [InlineData("{\"a\":01}")]
    [InlineData("{\"a\":NaN}")]
    [InlineData("{\"a\":1,,}")]
    [InlineData("{,}")]
    [InlineData("{\"a\":\"\t\"}")]
    [InlineData("{\"a\":\"\\x\"}")]
    [InlineData("{\"a\":\"\\uD800\"}")]
    [InlineData("{\"\\uDC00\":1}")]
    [InlineData("{\"a\":1}\0")]
    [InlineData("{\"a\":1,\"a\":1}")]
    [InlineData("{\"a\":1,\"A\":2}")]
    [InlineData("{\"\u00E9\":1,\"\u00C9\":2}")]
    [InlineData("{\"a:b\":1,\"a\":{\"b\":2}}")]
    [InlineData("{\"a\":{\"B\":1},\"A\":{\"b\":2}}")]
    [InlineData("{\"a\":[1,2],\"a:1\":3}")]
    [InlineData("{\"a\":{},\"a\":1}")]
    [InlineData("{\"a\":[],\"a\":1}")]
    [InlineData("{\"a\":{\"0\":1},\"a\":[2]}")]
    [InlineData("{\"a\":1/* open }")]
    public void Documents_that_configuration_refuses_are_refused(string document) => Same(document, isAccepted: false);

    [Theory]
    [InlineData(63, true)]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void Nesting_goes_as_deep_as_the_provider_goes(int depth, bool isAccepted)
    {
        Same(string.Concat(Enumerable.Repeat("{\"a\":", depth - 1)) + "{}" + new string('}', depth - 1), isAccepted);
        Same("{\"a\":" + new string('[', depth - 1) + new string(']', depth - 1) + "}", isAccepted);
    }

    [Fact]
    public void Bytes_the_provider_would_guess_at_are_refused()
    {
        Assert.Contains("not UTF-8", JsonForm.Check([.. "{\"a\":\""u8, 0xC3, 0x28, .. "\"}"u8]), StringComparison.Ordinal);
        Assert.Contains("not UTF-8", JsonForm.Check([0xFF, 0xFE, .. Encoding.Unicode.GetBytes("{}")]), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, position 3")]
    [InlineData("{\n  \"a\": 1,\n  \"A\": 2\n}", "line 3, position 8")]
    [InlineData("{\"a\":1,\"b\":{\"c\":\"\\uD800\"}}", "line 1, position 17")]
    [InlineData("\n[1]", "line 2, position 1")]
    [InlineData("", "line 1, position 1")]
    public void What_is_wrong_says_where(string document, string where) =>
        Assert.Contains(where, JsonForm.Check(Encoding.UTF8.GetBytes(document)), StringComparison.Ordinal);

    [Theory]
    [InlineData("[]", true)]
    [InlineData("[1,{\"a\":2},[3]] // all", true)]
    [InlineData("5", true)]
    [InlineData("null", true)]
    [InlineData("\uFEFF\"text\"", true)]
    [InlineData("{\"a\":1}", true)]
    [InlineData("", false)]
    [InlineData("[1] [2]", false)]
    [InlineData("[{\"a\":1,\"A\":2}]", false)]
    [InlineData("{\"a\":1,\"A\":2}", false)]
    [InlineData("\"\\uD800\"", false)]
    public void Below_a_section_any_document_is_accepted_as_the_provider_loads_it_there(string document, bool isAccepted)
    {
        Assert.Equal(isAccepted, IsLoaded($"{{\"section\":{document.TrimStart('\uFEFF')}\n}}"));
        Assert.Equal(isAccepted, JsonForm.CheckBelowSection(Encoding.UTF8.GetBytes(document)) is null);
    }

    [Fact]
    public void A_path_given_twice_is_named()
    {
        Assert.Contains(
            "'Logging:Level:0'", JsonForm.Check("{\"logging:level:0\":1,\"Logging\":{\"Level\":[2]}}"u8), StringComparison.Ordinal);
    }

    [Fact]
    public void Paths_far_longer_than_the_document_are_refused_in_bounded_memory()
    {
        string name = new('n', 100_000);
        string document = $"{{\"{name}\":[{string.Join(',', Enumerable.Repeat("1", 2000))}]}}";
        Assert.Contains("characters together", JsonForm.Check(Encoding.UTF8.GetBytes(document)), StringComparison.Ordinal);
    }

    [Fact]
    public void Random_documents_are_judged_as_the_provider_judges_them()
    {
        var random = new Random(40);
        int accepted = 0;
        int count = Math.Min(FuzzCount.Value, 100_000);
        for (int i = 0; i < count; i++)
        {
            var text = new StringBuilder();
            Value(random, text, 0);
            if (random.Next(4) == 0 && text.Length > 0)
            {
                text[random.Next(text.Length)] = "{}[]:,\"a1 \\/*\n"[random.Next(14)];
            }

            bool isAccepted = IsLoaded(text.ToString());
            string? wrong = JsonForm.Check(Encoding.UTF8.GetBytes(text.ToString()));
            Assert.True(
                isAccepted == wrong is null, $"{text} is {(isAccepted ? "loaded" : "refused")} by the provider; the check says: {wrong}");
            accepted += isAccepted ? 1 : 0;
        }

        Assert.InRange(accepted, count / 5, count * 4 / 5);
    }

    [Theory]
    [InlineData("squidex-appsettings", true)]
    [InlineData("ddg-android-config", true)]
    [InlineData("wikimedia-wikiversions", true)]
    [InlineData("schemastore-catalog", true)]
    [InlineData("dnscrypt-proxy-toml", false)]
    [InlineData("petclinic-application-yml", false)]
    [InlineData("nugetgallery-web-config", false)]
    [InlineData("nacos-application-properties", false)]
    [InlineData("kube-prometheus-stack-values", false)]
    public void Real_files_are_judged_as_the_provider_judges_them(string name, bool isJson)
    {
        int accepted = 0;
        foreach (byte[] version in ConfigHistories.Read(name))
        {
            string? wrong = JsonForm.Check(version);
            Assert.True(IsLoaded(version) == wrong is null, wrong ?? "the provider refuses it");
            accepted += wrong is null ? 1 : 0;
        }

        Assert.Equal(isJson, accepted > 0);
    }

    private static void Same(string document, bool isAccepted)
    {
        Assert.Equal(isAccepted, IsLoaded(document));
        Assert.Equal(isAccepted, JsonForm.Check(Encoding.UTF8.GetBytes(document)) is null);
    }

    private static bool IsLoaded(string document) => IsLoaded(Encoding.UTF8.GetBytes(document));

    private static bool IsLoaded(byte[] document)
    {
        try
        {
            using var stream = new MemoryStream(document);
            new ConfigurationBuilder().AddJsonStream(stream).Build();
            return true;
        }
        catch (Exception e) when (e is FormatException or System.Text.Json.JsonException or InvalidOperationException)
        {
            return false;
        }
    }

    // Few names, so that paths meet by chance; some hold the separator or an index.
    private static void Value(Random random, StringBuilder text, int depth)
    {
        string[] names = ["a", "A", "b", "a:b", "0", "1", ""];
        switch (depth == 0 ? 0 : random.Next(depth > 3 ? 4 : 8))
        {
            case 0 or 4 or 5:
                text.Append('{');
                Items(random, text, () =>
                {
                    text.Append('"').Append(names[random.Next(names.Length)]).Append("\":");
                    Value(random, text, depth + 1);
                });
                text.Append('}');
                break;
            case 6:
                text.Append('[');
                Items(random, text, () => Value(random, text, depth + 1));
                text.Append(']');
                break;
            default:
                text.Append(((string[])["1", "null", "\"x\"", "true"])[random.Next(4)]);
                break;
        }
    }

    private static void Items(Random random, StringBuilder text, Action item)
    {
        int count = random.Next(4);
        for (int i = 0; i < count; i++)
        {
            item();
            text.Append(i < count - 1 || random.Next(8) == 0 ? "," : "");
        }
    }
}
