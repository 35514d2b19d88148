using System.Text;
using Ripple.Client.Tests.Hosting;

namespace Ripple.Client.Tests;

/// <summary>The client against a real host on loopback.</summary>
public sealed class ClientTests : IAsyncDisposable
{
    private readonly TestFolder _folder = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public ValueTask DisposeAsync()
    {
        _folder.Dispose();
        return default;
    }

    [Fact]
    public async Task Client_connects_publishes_and_sees_what_it_published()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        Assert.Equal(ConnectionState.Connected, client.ConnectionState);
        Assert.Equal(0ul, client.Current().Release);

        PublishResult published = await client.PublishAsync(Publish("a", "1"), Token);
        RippleRelease seen = await FirstAsync(client, r => r.Release == published.Release);

        Assert.Equal(1ul, published.Release);
        Assert.Equal(published.Id, seen.Id);
        Assert.Equal("note", seen.Note);
        Assert.Equal(["a"], seen.ChangedKeys);
        Assert.True(client.TryGet("a", out ReadOnlyMemory<byte> value));
        Assert.Equal("1", Encoding.UTF8.GetString(value.Span));
    }

    private Task<RippleClient> ConnectAsync(TestHost host, RippleClientOptions? options = null) =>
        RippleClient.ConnectAsync(host.ConnectionStringFor("shop"), (options ?? new()) with { SnapshotDirectory = _folder.Path }, Token);

    private static PublishRequest Publish(string key, string value) => new()
    {
        Note = "note",
        Set = new Dictionary<string, ReadOnlyMemory<byte>> { [key] = Encoding.UTF8.GetBytes(value) },
    };

    private static async Task<RippleRelease> FirstAsync(RippleClient client, Func<RippleRelease, bool> isWanted)
    {
        await foreach (RippleRelease release in client.WatchAsync(cancellationToken: Token))
        {
            if (isWanted(release))
            {
                return release;
            }
        }

        throw new InvalidOperationException("The watch ended.");
    }
}
