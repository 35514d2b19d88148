using System.Text;
using Ripple.Client.Tests.Hosting;

namespace Ripple.Client.Tests;

/// <summary>What the tests of a client against a real host share.</summary>
public abstract class ClientScenario : IDisposable
{
    /// <summary>Ends what hangs, and is never reached by what is merely slow.</summary>
    private protected static TimeSpan Patience { get; } = TimeSpan.FromMinutes(2);

    private protected TestFolder Folder { get; } = new();
    private protected TestLogger Log { get; } = new();

    private protected static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        Folder.Dispose();
        Log.Dispose();
    }

    private protected static PublishRequest Publish(string key, string value, params (string Key, string Value)[] more)
    {
        var set = more.Prepend((key, value)).ToDictionary(p => p.Item1, p => (ReadOnlyMemory<byte>)Encoding.UTF8.GetBytes(p.Item2));
        return new() { Note = "note", Set = set };
    }

    private protected static RippleClientOptions Gated(TaskCompletionSource gate) => new()
    {
        AcceptRelease = async (_, stop) =>
        {
            await gate.Task.WaitAsync(stop);
            return ReleaseDecision.Accept;
        },
    };

    private protected static string ValueOf(RippleClient client, string key)
    {
        Assert.True(client.TryGet(key, out ReadOnlyMemory<byte> value), $"There is no '{key}'.");
        return Encoding.UTF8.GetString(value.Span);
    }

    private protected static async Task<RippleRelease> SeeAsync(RippleClient client, ulong release)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
        limit.CancelAfter(Patience);
        await foreach (RippleRelease seen in client.WatchAsync(cancellationToken: limit.Token))
        {
            if (seen.Release >= release)
            {
                return seen;
            }
        }

        throw new InvalidOperationException("The watch ended.");
    }

    private protected Task<RippleClient> ConnectAsync(TestHost host, string name) =>
        ConnectAsync(host, new RippleClientOptions { Name = name });

    private protected Task<RippleClient> ConnectAsync(TestHost host, RippleClientOptions? options = null) =>
        RippleClient.ConnectAsync(
            host.ConnectionStringFor("shop"),
            Patient(options ?? new()) with { SnapshotDirectory = Folder.Path, LoggerFactory = Log },
            Token);

    /// <summary>Limits that a test did not choose itself are not what it is about, and are never reached.</summary>
    private protected static RippleClientOptions Patient(RippleClientOptions options)
    {
        RippleClientOptions usual = new();
        return options with
        {
            ConnectTimeout = Unless(options.ConnectTimeout, usual.ConnectTimeout),
            PublishTimeout = Unless(options.PublishTimeout, usual.PublishTimeout),
            CallTimeout = Unless(options.CallTimeout, usual.CallTimeout),
            AcceptTimeout = Unless(options.AcceptTimeout, usual.AcceptTimeout),
        };

        static TimeSpan Unless(TimeSpan chosen, TimeSpan usual) => chosen == usual ? Patience : chosen;
    }

    private protected sealed class Progress(Action<WaitProgress> report) : IProgress<WaitProgress>
    {
        public void Report(WaitProgress value) => report(value);
    }
}
