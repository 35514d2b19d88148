using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Transports.Links;

namespace Ripple.Transports.Tests.Links;

/// <summary>A link over a plain socket, with the test's own hands on the other end; the test is the core thread.</summary>
internal sealed class SocketLinks : ILinkHandler, IAsyncDisposable
{
    /// <summary>Ends what hangs, and is never reached by what is merely slow.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly CancellationTokenSource _stopping = new();
    private Task _run = Task.CompletedTask;
    private NetworkStream _stream = null!;

    public CoreLoop Core { get; } = new(new CoreOptions { RequestsMax = 64, IoPerClassMax = 4, SlabsPerLane = 1, RefusedTrainsMax = 1 }, 1);

    public StreamLink Link { get; private set; } = null!;

    public NetworkStream Other { get; private set; } = null!;

    public Task Running => _run;

    public List<(ushort Type, byte[] Body)> Frames { get; } = [];

    public List<string> Ends { get; } = [];

    public int WritableCount { get; private set; }

    public Action? OnNextFrame { get; set; }

    public static async Task<SocketLinks> OpenAsync(LinkOptions? options = null)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var client = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await client.ConnectAsync(listener.LocalEndpoint, TestContext.Current.CancellationToken);
        Socket server = await listener.AcceptSocketAsync(TestContext.Current.CancellationToken);
        var links = new SocketLinks { _stream = new(client, ownsSocket: true), Other = new(server, ownsSocket: true) };
        links.Link = new(links._stream, LinkPeer.Anonymous, links.Core.Requests, options ?? new()) { Handler = links };
        links._run = links.RunAsync();
        return links;
    }

    public void Stop() => _stopping.Cancel();

    /// <summary>Steps the core until something holds.</summary>
    public async Task UntilAsync(Func<bool> condition)
    {
        for (long end = Environment.TickCount64 + (long)Patience.TotalMilliseconds; !condition();)
        {
            Assert.True(Environment.TickCount64 < end, "Waited in vain.");
            if (Core.DoWork(Stopwatch.GetTimestamp()) == 0)
            {
                await Task.Delay(1, TestContext.Current.CancellationToken);
            }
        }
    }

    public void OnFrame(ushort type, ReadOnlySpan<byte> body)
    {
        Assert.Empty(Ends);
        Frames.Add((type, body.ToArray()));
        OnNextFrame?.Invoke();
    }

    public void OnWritable() => WritableCount++;

    public void OnClosed(string reason) => Ends.Add(reason);

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        await Other.DisposeAsync();
        await _run;
        _stopping.Dispose();
    }

    private async Task RunAsync()
    {
        await Link.RunAsync(_stopping.Token);
        await _stream.DisposeAsync();
    }
}
