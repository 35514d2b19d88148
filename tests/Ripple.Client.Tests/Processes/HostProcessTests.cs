using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Client.Tests.Processes;

/// <summary>The host program killed and brought back, with clients that stay.</summary>
public sealed class HostProcessTests : IAsyncDisposable
{
    private const int Publishes = 200;
    private const int KillAfter = 80;
    private readonly HostProcess _host = new();
    private readonly RippleRuntime _runtime = RippleRuntime.Create();
    private readonly List<RippleClient> _clients = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public async ValueTask DisposeAsync()
    {
        foreach (RippleClient client in _clients)
        {
            await client.DisposeAsync();
        }

        await _runtime.DisposeAsync();
        await _host.DisposeAsync();
    }

    [Fact]
    public async Task Host_killed_in_the_middle_of_publishes_keeps_every_release_it_acknowledged()
    {
        Requires_unix();
        await _host.StartAsync();
        await ConnectAsync(6);
        RippleClient publisher = await PublisherAsync();
        var acknowledged = new ConcurrentDictionary<ulong, Digest160>();
        int next = -1;
        Task killing = Task.CompletedTask;

        // Four at a time, so that the kill finds some on their way wherever it hits.
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
        {
            for (int i = Interlocked.Increment(ref next); i < Publishes; i = Interlocked.Increment(ref next))
            {
                if (i == KillAfter)
                {
                    killing = KillAndRestartAsync();
                }

                PublishResult result = await PublishUntilAnsweredAsync(publisher, i);
                Assert.True(acknowledged.TryAdd(result.Release, result.Id), $"Release {result.Release} was acknowledged twice.");
            }
        }, Token)));
        await killing;

        List<HistoryEntry> history = await HistoryAsync(publisher);
        Assert.Equal(Publishes, acknowledged.Count);
        // Asked again by the same id, a publish is done once: no release is there that nobody asked for.
        Assert.Equal(Publishes, history.Count);
        Assert.All(history, entry => Assert.Equal(acknowledged[entry.Release], entry.Id));
        await ConvergeAsync(r => r.Release == Publishes && r.Id == acknowledged[Publishes]);
        Assert.All(_clients, client => Assert.Equal(Publishes, client.Current().Values.Count));
    }

    [Fact]
    public async Task Host_restored_from_an_older_copy_begins_a_generation_that_all_clients_follow()
    {
        Requires_unix();
        await _host.StartAsync();
        await ConnectAsync(4);
        RippleClient publisher = await PublisherAsync();
        for (int i = 0; i < 5; i++)
        {
            await PublishUntilAnsweredAsync(publisher, i);
        }

        await ConvergeAsync(r => r.Release == 5);
        uint generation = publisher.Current().Generation;
        await _host.StopAsync();
        _host.SaveCopy();
        await _host.StartAsync();
        for (int i = 5; i < 12; i++)
        {
            await PublishUntilAnsweredAsync(publisher, i);
        }

        await ConvergeAsync(r => r.Release == 12);
        await _host.KillAsync();
        _host.RestoreCopy();
        await _host.StartAsync();

        await ConvergeAsync(r => r.Generation > generation);
        HistoryEntry newest = (await HistoryAsync(publisher))[0];
        await ConvergeAsync(r => r.Id == newest.Id);
        string[] kept = [.. Enumerable.Range(0, 5).Select(Key)];
        Assert.All(_clients, client => Assert.Equal(kept, client.Current().Values.Keys.Order(StringComparer.Ordinal)));

        PublishResult after = await PublishUntilAnsweredAsync(publisher, 100);
        await ConvergeAsync(r => r.Id == after.Id);
        await _host.StopAsync();
        string audit = await _host.RunAsync("audit");
        Assert.Contains($"application.restore  {HostProcess.Application}", audit, StringComparison.Ordinal);
    }

    private static void Requires_unix()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Signals of Unix are needed to stop and to kill.");
        }
    }

    private static string Key(int i) => string.Create(CultureInfo.InvariantCulture, $"key-{i:D3}");

    private static async Task<PublishResult> PublishUntilAnsweredAsync(RippleClient publisher, int i)
    {
        var request = new PublishRequest
        {
            Application = HostProcess.Application,
            Set = new Dictionary<string, ReadOnlyMemory<byte>> { [Key(i)] = Encoding.UTF8.GetBytes($"value {i}") },
        };
        while (true)
        {
            try
            {
                return await publisher.PublishAsync(request, Token);
            }
            catch (RippleTimeoutException)
            {
                // Whether it was released is not known: the same id again finds out.
            }
        }
    }

    private static async Task<List<HistoryEntry>> HistoryAsync(RippleClient client)
    {
        List<HistoryEntry> history = [];
        await foreach (HistoryEntry entry in client.HistoryAsync(HostProcess.Application, cancellationToken: Token))
        {
            history.Add(entry);
        }

        return history;
    }

    private async Task KillAndRestartAsync()
    {
        await _host.KillAsync();
        await _host.StartAsync();
    }

    private async Task ConnectAsync(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _clients.Add(await RippleClient.ConnectAsync(_host.ClientConnection, Options($"node-{i}"), Token));
        }
    }

    private async Task<RippleClient> PublisherAsync()
    {
        RippleClient publisher = await RippleClient.ConnectAsync(
            _host.AdminConnection, Options("publisher") with { Application = HostProcess.Application }, Token);
        _clients.Add(publisher);
        return publisher;
    }

    private RippleClientOptions Options(string name) => new()
    {
        Name = name,
        Runtime = _runtime,
        SnapshotMode = SnapshotMode.Off,
        ConnectTimeout = TimeSpan.FromMinutes(2),
        PublishTimeout = TimeSpan.FromMinutes(2),
        CallTimeout = TimeSpan.FromMinutes(2),
    };

    /// <summary>Waits until every client has brought such a release.</summary>
    private async Task ConvergeAsync(Func<RippleRelease, bool> isWanted)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
        limit.CancelAfter(TimeSpan.FromMinutes(2));
        foreach (RippleClient client in _clients)
        {
            try
            {
                await foreach (RippleRelease release in client.WatchAsync(HostProcess.Application, limit.Token))
                {
                    if (isWanted(release))
                    {
                        break;
                    }
                }
            }
            catch (OperationCanceledException) when (!Token.IsCancellationRequested)
            {
                Assert.Fail(
                    $"A client stays at {client.Current()} ({client.ConnectionState}, {client.LastError}); "
                        + $"they have {string.Join(", ", _clients.Select(c => c.Current()))}.");
            }
        }
    }
}
