using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Ripple.Load.Processes;
using Ripple.Load.Push;
using Ripple.Tests.Shared.Postgres;

namespace Ripple.Load.Cluster;

/// <summary>Kills the leader of a cluster under publishes, watches and waits, again and again, and counts what was lost.</summary>
internal static class ClusterCommand
{
    private const string Expecting = "expecting";
    private static readonly TimeSpan Quiet = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan StopTime = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan AwayTime = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan StartTimeout = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan SettleTimeout = TimeSpan.FromMinutes(1);

    public static Task<int> RunAsync(string[] args) => ClusterOptions.Make(RunAsync).Parse(args).InvokeAsync();

    private static async Task<int> RunAsync(ClusterOptions options)
    {
        using var postgres = new LocalPostgres(isInMemory: false);
        if (postgres.TryStart() is { } missing)
        {
            await Console.Error.WriteLineAsync(missing);
            return 2;
        }

        ClusterResult result = await MeasureAsync(options, postgres);
        if (options.IsJson)
        {
            Console.WriteLine(JsonSerializer.Serialize(result));
        }

        return result.Lost == 0 && result.Repeated == 0 && result.Wrong.Count == 0 && result.Bad == 0 ? 0 : 1;
    }

    private static async Task<ClusterResult> MeasureAsync(ClusterOptions options, LocalPostgres postgres)
    {
        await using ClusterHosts hosts = await ClusterHosts.StartAsync(
            options.Hosts, postgres.ConnectionString(postgres.MakeDatabase()));
        await using Child nodes = Child.StartMany(
            Roles.Clients, hosts.Connection, options.Clients.ToString(CultureInfo.InvariantCulture), "load");
        await nodes.ExpectAsync("ready", StartTimeout);
        var log = new PublishLog(options.Clients);
        var tally = new ClientTally(nodes);
        Task reading = Task.Run(() => tally.ReadAsync(log));
        await using RippleClient client = await RippleClient.ConnectAsync(
            await File.ReadAllTextAsync(hosts.AdminConnection),
            new RippleClientOptions
            {
                Application = Fleet.Application,
                Name = "publisher",
                SnapshotMode = SnapshotMode.Off,
                PublishTimeout = TimeSpan.FromMinutes(2),
            });
        await client.CreateApplicationAsync(Expecting);
        var publisher = new ClusterPublisher(client, Fleet.Application, isExpecting: false);
        var expecting = new ClusterPublisher(client, Expecting, isExpecting: true);
        using var stopping = new CancellationTokenSource();
        Task publishing = Task.WhenAll(publisher.RunAsync(stopping.Token), expecting.RunAsync(stopping.Token));

        var moments = new List<long>();
        for (int i = 0; i < options.Times; i++)
        {
            await Task.Delay(Quiet);
            moments.Add(Stopwatch.GetTimestamp());
            await (options.Kill switch
            {
                Disaster.Leader => hosts.KillLeaderAsync(),
                Disaster.Stop => hosts.StopLeaderAsync(StopTime),
                _ => KillAsync(postgres),
            });
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{options.Kill} {i + 1} of {options.Times}"));
        }

        await Task.Delay(Quiet);
        await stopping.CancelAsync();
        await publishing;
        double[] gaps = [.. moments.Select(m => publisher.GapAt(m).TotalMilliseconds).Order()];

        for (long end = Environment.TickCount64 + (long)SettleTimeout.TotalMilliseconds;
            Missing(log, publisher.Count, options.Clients) > 0 && Environment.TickCount64 < end;)
        {
            await Task.Delay(50);
        }

        ClientSample seen = await tally.SampleAsync(ClientSample.Rest);
        await hosts.CountSnapshotsAsync();
        // Releases have no gaps: the newest one says how many there are.
        long history = (long)(await client.StatusAsync(Fleet.Application)).Release;
        long expectingHistory = (long)(await client.StatusAsync(Expecting)).Release;
        (int proofs, int notHeld) = (publisher.Proofs.Asked + expecting.Proofs.Asked, publisher.Proofs.NotHeld + expecting.Proofs.NotHeld);
        return new ClusterResult
        {
            Hosts = options.Hosts,
            Clients = options.Clients,
            Kills = options.Times,
            Lost = Missing(log, publisher.Count, options.Clients)
                + Math.Max(0, publisher.Count - history) + Math.Max(0, expecting.Count - expectingHistory),
            Repeated = Math.Max(0, history - publisher.Count) + Math.Max(0, expectingHistory - expecting.Count),
            GapP50Ms = Math.Round(gaps[gaps.Length / 2], 1),
            GapMaxMs = Math.Round(gaps[^1], 1),
            Snapshots = hosts.Snapshots,
            Publishes = publisher.Count,
            Expecting = expecting.Count,
            Wrong = [.. publisher.Wrong, .. expecting.Wrong],
            Proofs = proofs,
            ProofsNotHeld = notHeld,
            Skipped = seen.Skipped,
            Bad = seen.Bad,
        };
    }

    private static async Task KillAsync(LocalPostgres postgres)
    {
        postgres.Kill();
        await Task.Delay(AwayTime);
        if (!postgres.Begin())
        {
            throw new InvalidOperationException("The database did not start again.");
        }
    }

    /// <summary>Publishes that are not with all nodes.</summary>
    private static long Missing(PublishLog log, int count, int clients) => log.Range(0, count).LongCount(p => p.Nodes < clients);
}
