using System.Globalization;
using System.Text;
using System.Text.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Editing;

namespace Ripple.Admin.Tests.Editing;

/// <summary>Edits at a real host.</summary>
public sealed class KeyEditHostTests(RealHost host) : IClassFixture<RealHost>
{
    private const int Editors = 20;
    private const int EditsOfEach = 3;

    private static readonly JsonDocumentOptions Lenient = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Editors_of_one_document_lose_no_change_of_one_another()
    {
        using var client = RippleAdminClient.Connect(host.ConnectionText);
        string members = string.Concat(Enumerable.Range(0, Editors).Select(i => $"  \"path{i}\": {{ \"value\": 0 }}, // of {i}\n"));
        string document = $"{{\n{members}}}\n";
        await client.PublishAsync(
            "shop", new PublishRequest { Set = [new KeyValue { Key = "Editors.json", Text = document }] }, cancellationToken: Token);
        var options = new KeyEditOptions { TriesMax = 1_000 };

        KeyEditResult[][] results = await Task.WhenAll(Enumerable.Range(0, Editors).Select(EditAsync));

        byte[] bytes = (await client.ReadKeyAsync("shop", "Editors.json", null, Token)).Bytes.ToArray();
        using var now = JsonDocument.Parse(bytes, Lenient);
        Assert.All(
            Enumerable.Range(0, Editors),
            i => Assert.Equal(EditsOfEach, now.RootElement.GetProperty($"path{i}").GetProperty("value").GetInt32()));
        Assert.Equal(
            document.Replace("\"value\": 0", $"\"value\": {EditsOfEach}", StringComparison.Ordinal), Encoding.UTF8.GetString(bytes));
        Assert.Equal(
            Editors * EditsOfEach, results.SelectMany(r => r).Select(r => r.Release.Release).Distinct().Count());

        async Task<KeyEditResult[]> EditAsync(int editor)
        {
            var all = new List<KeyEditResult>();
            for (int value = 1; value <= EditsOfEach; value++)
            {
                var edit = JsonEdit.Set($"/path{editor}/value", value.ToString(CultureInfo.InvariantCulture));
                all.Add(await client.EditKeyAsync("shop", "Editors.json", edit, options, Token));
            }

            return [.. all];
        }
    }

    [Fact]
    public async Task A_path_that_the_document_says_otherwise_is_refused_by_the_host()
    {
        using var client = RippleAdminClient.Connect(host.ConnectionText);
        await client.PublishAsync(
            "shop",
            new PublishRequest { Set = [new KeyValue { Key = "Paths.json", Text = "{\"a\":{\"b\":1}}" }] },
            cancellationToken: Token);

        RippleAdminException refusal = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.EditKeyAsync("shop", "Paths.json", JsonEdit.Set("/a:b", "2"), null, Token));

        Assert.Equal(ProblemCodes.InvalidJson, refusal.Code);
        Assert.Contains("The path 'a:b' has two values", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_key_that_is_not_there_is_not_found()
    {
        using var client = RippleAdminClient.Connect(host.ConnectionText);

        RippleAdminException missing = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.EditKeyAsync("shop", "Nothing.json", JsonEdit.Set("/a", "2"), null, Token));

        Assert.Equal(ProblemCodes.NotFound, missing.Code);
    }
}
