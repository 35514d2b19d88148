using System.Text;
using Ripple.Admin.Contracts;

namespace Ripple.Admin.Tests.Http;

/// <summary>What is within the limits is taken, whatever it is made of.</summary>
public sealed class LargePublishTests(RealHost host) : IClassFixture<RealHost>
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_text_just_below_the_limit_is_taken_whatever_its_letters()
    {
        // Two bytes each in UTF-8, six where JSON escapes it.
        string text = new('\u0436', 8_000_000);
        using RippleAdminClient client = RippleAdminClient.Connect(host.ConnectionText, new RippleAdminOptions { RetryCount = 0 });

        await client.PublishAsync(
            "shop", new PublishRequest { Set = [new KeyValue { Key = "letters", Text = text }] }, cancellationToken: Token);

        KeyContent read = await client.ReadKeyAsync("shop", "letters", cancellationToken: Token);
        Assert.True(read.Bytes.Span.SequenceEqual(Encoding.UTF8.GetBytes(text)));
    }

    [Fact]
    public async Task Bytes_at_the_limit_are_taken_whatever_they_are()
    {
        // In base64 nothing but '+', which some encoders of JSON escape.
        byte[] bytes = new byte[AdminLimits.ValueBytesMax];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = (i % 3) switch { 0 => 0xfb, 1 => 0xef, _ => 0xbe };
        }

        using RippleAdminClient client = RippleAdminClient.Connect(host.ConnectionText, new RippleAdminOptions { RetryCount = 0 });

        await client.PublishAsync(
            "shop", new PublishRequest { Set = [new KeyValue { Key = "bytes", Bytes = bytes }] }, cancellationToken: Token);

        Assert.True((await client.ReadKeyAsync("shop", "bytes", cancellationToken: Token)).Bytes.Span.SequenceEqual(bytes));
    }

    [Fact]
    public async Task A_key_without_value_is_still_refused_by_its_name()
    {
        using RippleAdminClient client = RippleAdminClient.Connect(host.ConnectionText, new RippleAdminOptions { RetryCount = 0 });

        RippleAdminException failure = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.PublishAsync("shop", new PublishRequest { Set = [new KeyValue { Key = "void" }] }, cancellationToken: Token));

        Assert.Contains("'void' has no value", failure.Message, StringComparison.Ordinal);
    }
}
