using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Ripple.Client;
using Ripple.Tests.Shared.Postgres;

namespace Cluster;

/// <summary>Three hosts on one database and forty nodes: kills the leader, stops the next, and checks what is claimed of it.</summary>
internal sealed class ClusterTour : IAsyncDisposable
{
    private const int NodeCount = 40;
    private const string Application = "default";
    private const string Key = "greeting.txt";
    private static readonly TimeSpan ProofTimeout = TimeSpan.FromMinutes(1);
    private readonly string _folder = Directory.CreateTempSubdirectory("ripple-cluster-").FullName;
    private readonly ConcurrentDictionary<int, List<ulong>> _seen = new();
    private readonly HostProgram[] _hosts;
    private readonly List<RippleClient> _clients = [];
    private RippleRuntime? _runtime;
    private RippleClient? _publisher;
    private ulong _published;

    public ClusterTour(LocalPostgres postgres)
    {
        string storeFile = Path.Combine(_folder, "store.connection");
        OwnerOnly.Write(storeFile, postgres.ConnectionString(postgres.MakeDatabase()));
        _hosts = [.. Enumerable.Range(1, 3).Select(
            i => new HostProgram(string.Create(CultureInfo.InvariantCulture, $"host-{i}"), _folder, storeFile))];
    }

    private HostProgram Leader => _hosts.Single(h => h.Leads);

    public async Task<int> RunAsync()
    {
        await StartHostsAsync();
        await StartNodesAsync();
        await PublishAsync("hello");

        HostProgram killed = Leader;
        Say($"kill -9 {killed.Name}, which leads");
        killed.Signal("KILL");
        killed.Dispose();
        await PublishAsync("hello from another leader");
        killed.Start();
        await killed.UntilAsync(h => h.StandsBy, "stood by");
        Say($"{killed.Name} was started again, and stands by");

        HostProgram stopped = Leader;
        Say($"kill -STOP {stopped.Name}, which leads now");
        stopped.Signal("STOP");
        await PublishAsync("hello from a third");
        stopped.Signal("CONT");
        await stopped.UntilAsync(h => h.StandsBy, "found that another leads");
        Say($"kill -CONT {stopped.Name}: it found that another leads, and stands by");
        await PublishAsync("good bye");
        return await CheckAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await (_publisher?.DisposeAsync() ?? default);
        foreach (RippleClient client in _clients)
        {
            await client.DisposeAsync();
        }

        await (_runtime?.DisposeAsync() ?? default);
        foreach (HostProgram host in _hosts)
        {
            host.Dispose();
        }

        Directory.Delete(_folder, recursive: true);
    }

    private async Task StartHostsAsync()
    {
        HostProgram first = _hosts[0];
        first.Start();
        await first.UntilAsync(h => h.Leads, "led");
        foreach (HostProgram other in _hosts.Skip(1))
        {
            // What an operator copies to each further host, and nothing else.
            OwnerOnly.Copy(Path.Combine(first.Directory, "cluster.key"), Path.Combine(other.Directory, "cluster.key"));
            other.Start();
            await other.UntilAsync(h => h.StandsBy, "stood by");
        }

        Say("three hosts on one database: host-1 leads, host-2 and host-3 stand by");
    }

    private async Task StartNodesAsync()
    {
        _runtime = RippleRuntime.Create();
        string connection = ForAll("client.connection");
        await Parallel.ForAsync(0, NodeCount, async (i, cancellation) =>
        {
            RippleClient client = await RippleClient.ConnectAsync(
                connection,
                new RippleClientOptions
                {
                    Runtime = _runtime,
                    Name = string.Create(CultureInfo.InvariantCulture, $"node-{i}"),
                    SnapshotMode = SnapshotMode.Off,
                    ConnectTimeout = ProofTimeout,
                },
                cancellation);
            lock (_clients)
            {
                _clients.Add(client);
            }

            _seen[i] = [];
            _ = Task.Run(() => WatchAsync(client, _seen[i]), CancellationToken.None);
        });
        _publisher = await RippleClient.ConnectAsync(
            ForAll("admin.connection"),
            new RippleClientOptions
            {
                Application = Application,
                Name = "publisher",
                SnapshotMode = SnapshotMode.Off,
                ConnectTimeout = ProofTimeout,
                PublishTimeout = ProofTimeout,
            });
        Say($"{NodeCount} nodes and a publisher, which know all three");
    }

    /// <summary>The connection string of the first host's directory, with all hosts in it.</summary>
    private string ForAll(string file)
    {
        string endpoints = string.Join(
            ',', _hosts.Select(h => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{h.Port}")));
        string[] parts = File.ReadAllText(Path.Combine(_hosts[0].Directory, file)).Trim().Split(';');
        return string.Join(';', parts.Select(p => p.StartsWith("Endpoints=", StringComparison.Ordinal) ? $"Endpoints={endpoints}" : p));
    }

    private async Task PublishAsync(string text)
    {
        long begin = Stopwatch.GetTimestamp();
        PublishResult result = await _publisher!.PublishAsync(new PublishRequest
        {
            Set = new Dictionary<string, ReadOnlyMemory<byte>> { [Key] = Encoding.UTF8.GetBytes(text) },
        });
        TimeSpan answered = Stopwatch.GetElapsedTime(begin);
        Expect(result.Release == ++_published, $"release {_published} is {result.Release}: something was published twice, or lost");
        WaitResult proof = await _publisher.WaitAsync(Application, result.Release, "MIN($ALL.applied)", ProofTimeout);
        Expect(proof.Outcome == WaitOutcome.Held, $"release {result.Release} is not proven: {proof.Text}");
        TimeSpan proven = Stopwatch.GetElapsedTime(begin);
        Say(string.Create(
            CultureInfo.InvariantCulture,
            $"release {result.Release} answered after {answered.TotalMilliseconds:F0} ms, "
                + $"at all nodes and proven after {proven.TotalMilliseconds:F0} ms"));
    }

    private async Task<int> CheckAsync()
    {
        ApplicationStatus status = await _publisher!.StatusAsync(Application);
        Expect(status.Release == _published, $"the newest release is {status.Release}, and {_published} were answered");
        int repeated = 0;
        int without = 0;
        foreach (List<ulong> releases in _seen.Values)
        {
            lock (releases)
            {
                repeated += releases.Zip(releases.Skip(1)).Count(pair => pair.Second <= pair.First);
                without += releases.LastOrDefault() == _published ? 0 : 1;
            }
        }

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"releases={_published} nodes={_seen.Count} lost={without} repeated={repeated}"));
        return without == 0 && repeated == 0 ? 0 : 1;
    }

    private static async Task WatchAsync(RippleClient client, List<ulong> releases)
    {
        await foreach (RippleRelease release in client.WatchAsync())
        {
            lock (releases)
            {
                releases.Add(release.Release);
            }
        }
    }

    private static void Expect(bool isTrue, string otherwise)
    {
        if (!isTrue)
        {
            throw new ClusterException(otherwise);
        }
    }

    private static void Say(string line) => Console.WriteLine(line);
}
