using System.Text;
using Microsoft.AspNetCore.Http;
using Ripple.Admin.Contracts;
using Ripple.Gms.Api;

namespace Ripple.Gms.Tests.Api;

/// <summary>The body of a publish over HTTP, and what one may cost.</summary>
public sealed class PublishBodyTests
{
    private const int BodyBytes = 24 * 1024 * 1024;

    [Fact]
    public void What_is_in_it_is_read_as_it_stands()
    {
        PublishBody body = Read(
            """{"note":"why","Set":[{"key":"a","text":"é\u00e9\n"},{"bytes":"AAEC","text":null,"key":"b"}],"remove":["c",null]}""");
        Assert.Equal("why", body.Note);
        Assert.Equal(["a", "b", "c", ""], body.Keys.Select(k => k.Key));
        Assert.Equal("\u00e9\u00e9\n", Encoding.UTF8.GetString(body.Keys[0].Value!.Value.Span));
        Assert.Equal([0, 1, 2], body.Keys[1].Value!.Value.ToArray());
        Assert.Null(body.Keys[2].Value);
    }

    [Theory]
    [InlineData("""{"set":null,"remove":null,"note":null}""")]
    [InlineData("{}")]
    public void What_is_left_out_is_empty(string json)
    {
        PublishBody body = Read(json);
        Assert.Equal("", body.Note);
        Assert.Empty(body.Keys);
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("""{"set":[{"key":"a","text":"1"}]""")]
    [InlineData("""{"set":[{"key":"a","text":"1"}]} {}""")]
    [InlineData("""{"set":[{"key":"a","text":"1"}],"sett":[]}""")]
    [InlineData("""{"remove":[],"remove":[]}""")]
    [InlineData("""{"set":[{"key":"a","key":"b","text":"1"}]}""")]
    [InlineData("""{"set":[{"text":"1"}]}""")]
    [InlineData("""{"set":[null]}""")]
    [InlineData("""{"set":[{"key":"a","text":1}]}""")]
    [InlineData("""{"set":[{"key":"a","bytes":"*"}]}""")]
    [InlineData("""{"set":[{"key":"a","text":"\ud800"}]}""")]
    [InlineData("""{"remove":[1]}""")]
    [InlineData("""{"remove":{}}""")]
    [InlineData("""{"note":7}""")]
    public void What_is_no_publish_is_refused(string json) => Assert.Throws<BadHttpRequestException>(() => Read(json));

    [Theory]
    [InlineData("""{"set":[{"key":"a"}]}""", "The key 'a' has no value. Give its value as one of text and bytes (base64).")]
    [InlineData(
        """{"set":[{"key":"a","text":"1","bytes":"AA=="}]}""",
        "The key 'a' has two values. Give its value as one of text and bytes (base64).")]
    public void A_key_has_one_value(string json, string text) =>
        Assert.Equal(text, Assert.Throws<ApiProblemException>(() => Read(json)).Message);

    [Fact]
    public void A_thousand_keys_are_read_and_not_one_more()
    {
        string Removes(int count) => $$"""{"remove":[{{string.Join(',', Enumerable.Range(0, count).Select(i => $"\"{i}\""))}}]}""";
        Assert.Equal(1_000, Read(Removes(1_000)).Keys.Count);
        ApiProblemException refused = Assert.Throws<ApiProblemException>(() => Read(Removes(1_001)));
        Assert.Equal("A publish has 1 to 1000 keys; this one has more. Publish in parts.", refused.Message);
        Assert.Equal(ProblemCodes.InvalidRequest, refused.Problem.Code);
    }

    [Theory]
    [InlineData("""{"remove":[""", "\"\",", "\"\"]}")]
    [InlineData("""{"set":[""", """{"key":"","text":""},""", """{"key":"","text":""}]}""")]
    [InlineData("""{"note":"a""", "aaa", "\"}")]
    [InlineData("""{"remove":["a""", "aaa", "\"]}")]
    public void A_long_body_of_tiny_items_or_of_one_long_text_costs_next_to_nothing_to_refuse(string begin, string item, string end)
    {
        byte[] json = Encoding.UTF8.GetBytes(begin + new StringBuilder().Insert(0, item, BodyBytes / item.Length) + end);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<ApiProblemException>(() => PublishBodyReader.Read(json));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_000_000);
    }

    [Theory]
    [InlineData("""{"remove":[""", "\"\",")]
    [InlineData("""{"note":"why", "set":[""", """{"key":"a","text":""},""")]
    public async Task More_items_than_a_publish_may_have_are_refused_before_the_rest_of_the_body_is_read(string begin, string item)
    {
        byte[] json = Encoding.UTF8.GetBytes(begin + new StringBuilder().Insert(0, item, BodyBytes / item.Length));
        using var stream = new MemoryStream(json);
        var context = new DefaultHttpContext { Request = { Body = stream } };
        long before = GC.GetAllocatedBytesForCurrentThread();
        await Assert.ThrowsAsync<ApiProblemException>(async () => await PublishBody.BindAsync(context));
        Assert.InRange(stream.Position, 1, 64 * 1024);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 300_000);
    }

    [Fact]
    public async Task A_body_is_counted_alike_however_its_items_lie_in_the_pieces_that_come()
    {
        for (int padding = 0; padding < 200; padding++)
        {
            await ReadAsync(1_000, padding);
            await Assert.ThrowsAsync<ApiProblemException>(() => ReadAsync(1_001, padding));
        }

        static async Task ReadAsync(int count, int padding)
        {
            // Longer than the first piece, with an end of it in each place of an item.
            string text = new('x', 200);
            string items = string.Join(',', Enumerable.Range(0, count).Select(i => $$"""{"key":"{{i}}","text":"\u00e9{{text}}"}"""));
            byte[] json = Encoding.UTF8.GetBytes($$"""{"note":"{{new string('n', padding)}}","set":[{{items}}],"remove":[]}""");
            using var stream = new MemoryStream(json);
            PublishBody body = await PublishBody.BindAsync(new DefaultHttpContext { Request = { Body = stream } });
            Assert.Equal(count, body.Keys.Count);
        }
    }

    [Fact]
    public async Task A_long_body_that_is_no_json_is_refused_as_such()
    {
        using var stream = new MemoryStream([.. """{"remove":[1,,"""u8, .. new byte[100_000]]);
        var context = new DefaultHttpContext { Request = { Body = stream } };
        BadHttpRequestException refused =
            await Assert.ThrowsAsync<BadHttpRequestException>(async () => await PublishBody.BindAsync(context));
        Assert.Equal("The body is not JSON.", refused.Message);
    }

    [Fact]
    public void Values_that_are_too_large_together_are_counted_to_the_end()
    {
        string half = new('x', AdminLimits.PublishBytesMax / 2);
        ApiProblemException refused = Assert.Throws<ApiProblemException>(() => Read(
            $$"""{"set":[{"key":"a","text":"{{half}}"},{"key":"b","text":"{{half}}yy"},{"key":"c","text":"z"}]}"""));
        Assert.Equal("The values have 16777219 bytes together; a publish has at most 16777216. Publish in parts.", refused.Message);
        Assert.Equal(413, refused.Problem.Status);
    }

    [Fact]
    public async Task Over_the_server_it_is_refused_as_any_other()
    {
        await using HttpRig host = await HttpRig.StartAsync();
        string many = string.Join(',', Enumerable.Repeat("\"\"", 100_000));
        (await host.PostAsync(host.Publisher, HttpRig.Publish, $$"""{"remove":[{{many}}]}""")).Is(
            400, ProblemCodes.InvalidRequest, "A publish has 1 to 1000 keys; this one has more. Publish in parts.");
        (await host.PostAsync(host.Publisher, HttpRig.Publish, "{}")).Is(
            400, ProblemCodes.InvalidRequest, "A publish has 1 to 1000 keys; this one has 0. Publish in parts.");
    }

    private static PublishBody Read(string json) => PublishBodyReader.Read(Encoding.UTF8.GetBytes(json));
}
