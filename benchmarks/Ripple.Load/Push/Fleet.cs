using System.Diagnostics;
using System.Globalization;
using Npgsql;
using Ripple.Admin;
using Ripple.Load.Peers;
using Ripple.Load.Processes;
using Ripple.Tests.Shared.Postgres;
using Ripple.Trust;

namespace Ripple.Load.Push;

/// <summary>The host's process and the clients' processes.</summary>
internal sealed class Fleet : IAsyncDisposable
{
    public const string Application = "load";
    public const string ApplicationBeside = "beside";

    /// <summary>From so many nodes on a process is one that stands for many.</summary>
    private const int ManyNodes = 100;

    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(600);
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(30);
    private readonly string _directory = Directory.CreateDirectory(
        Path.Combine(Path.GetTempPath(), $"ripple-load-{Guid.NewGuid():N}")).FullName;
    private readonly List<Child> _clients = [];
    private readonly List<int> _nodes = [];
    private Child? _host;
    private LocalPostgres? _postgres;
    private double _hostRssAtStartMb;

    /// <summary>The file with the connection string of nodes.</summary>
    public string Connection { get; private set; } = string.Empty;

    /// <summary>The file with the connection string of who may publish.</summary>
    public string PublisherConnection { get; private set; } = string.Empty;

    public IReadOnlyList<Child> Clients => _clients;

    /// <summary>How many nodes a process has.</summary>
    public int NodesOf(int process) => _nodes[process];

    public async Task StartAsync(PushOptions options)
    {
        int clients = options.Clients;
        _host = Child.Start([
            Roles.Host,
            Path.Combine(_directory, "host"),
            Application,
            options.IsMulticast ? HostRole.Multicast : HostRole.Unicast,
            options.IsProbed ? HostRole.Probed : HostRole.NotProbed,
            HostRole.Rings(options.PartMembers, options.AggregateDatagramsMax),
            .. options.IsPostgres ? [StartDatabase()] : Array.Empty<string>()]);
        string[] words = await _host.ExpectAsync("ready", StartTimeout);
        Connection = words[2];
        PublisherConnection = words[3];
        _hostRssAtStartMb = (await HostCostAsync()).RssMb;
        if (options.BesideBytes > 0)
        {
            using var admin = new RippleAdminClient(ConnectionString.ReadFile(PublisherConnection));
            await admin.CreateApplicationAsync(ApplicationBeside);
        }

        int processes = Math.Min(options.Processes, clients);
        _nodes.AddRange(Enumerable.Range(0, processes).Select(i => (clients / processes) + (i < clients % processes ? 1 : 0)));
        for (int i = 0; i < processes; i++)
        {
            string[] arguments = ArgumentsOf(options, i);
            _clients.Add(_nodes[i] >= ManyNodes ? Child.StartMany(arguments) : Child.Start(arguments));
        }

        foreach (Child child in _clients)
        {
            await child.ExpectAsync("ready", StartTimeout);
        }
    }

    public async Task<HostCost> HostCostAsync()
    {
        await _host!.SendAsync("counters");
        string[] words = await _host.ExpectAsync("counters", AnswerTimeout);
        double[] values = [.. words.Skip(1).Select(ProcessCost.Read)];
        return new(values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7], _hostRssAtStartMb)
        {
            MemoryPlannedMb = values[8],
            MemorySumMb = values[9],
            Regions = (int)values[10],
            CoreWaitP99Ms = values[11],
            CoreWaitMaxMs = values[12],
            CoreBusyMaxMs = values[13],
            Failures = values[14],
        };
    }

    /// <summary>How many members are leaves.</summary>
    public async Task<long> LeavesAsync()
    {
        await _host!.SendAsync(HostRole.Leaves);
        return long.Parse((await _host.ExpectAsync(HostRole.Leaves, AnswerTimeout))[1], CultureInfo.InvariantCulture);
    }

    /// <summary>
    /// Starts the host again, and waits until all who were members are again: how many seconds from its start, what a call waited for its
    /// core meanwhile, the most processor time between two answers, and how many connections were refused because there were too many.
    /// </summary>
    public async Task<double[]> RestartHostAsync()
    {
        await _host!.SendAsync("restart");
        return [.. (await _host.ExpectAsync("restarted", StartTimeout)).Skip(1).Select(ProcessCost.Read)];
    }

    /// <summary>
    /// How long a transaction that changes one row takes in the database's server, one after another; not a number without one.
    /// </summary>
    public double BareCommitP50Ms()
    {
        const int Count = 300;
        if (_postgres is null)
        {
            return double.NaN;
        }

        string database = _postgres.MakeDatabase();
        using NpgsqlConnection connection = _postgres.Connect(database);
        using var make = new NpgsqlCommand("CREATE TABLE public.bare (n int); INSERT INTO public.bare VALUES (0)", connection);
        make.ExecuteNonQuery();
        using var change = new NpgsqlCommand("UPDATE public.bare SET n = n + 1", connection);
        change.Prepare();
        var spans = new List<long>(Count);
        for (int i = 0; i < Count; i++)
        {
            long begin = Stopwatch.GetTimestamp();
            change.ExecuteNonQuery();
            spans.Add(Stopwatch.GetTimestamp() - begin);
        }

        return Percentile.OfMs(spans, 50);
    }

    /// <summary>The token of nodes is of one application: who takes another too comes with the administrator's.</summary>
    private string[] ArgumentsOf(PushOptions options, int process) =>
    [
        options.IsSdk ? Roles.SdkClients
            : options.History is not null ? Roles.HistoryClients
            : options.IsDeaf && process == 0 ? Roles.DeafClients
            : Roles.Clients,
        options.BesideBytes > 0 ? PublisherConnection : Connection,
        _nodes[process].ToString(CultureInfo.InvariantCulture),
        string.Create(CultureInfo.InvariantCulture, $"load-{process}"),
        .. options.BesideBytes > 0 ? [ApplicationBeside] : Array.Empty<string>(),
        .. options.History is { } file ? [file, options.Count.ToString(CultureInfo.InvariantCulture)] : Array.Empty<string>(),
    ];

    /// <summary>Starts a database on this machine's disk; the file that names it.</summary>
    private string StartDatabase()
    {
        _postgres = new LocalPostgres(isInMemory: false);
        if (_postgres.TryStart() is { } missing)
        {
            throw new PeerException(missing);
        }

        string file = Path.Combine(_directory, "store.connection");
        OwnerOnly.Write(file, _postgres.ConnectionString(_postgres.MakeDatabase()));
        return file;
    }

    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(_clients.Select(c => c.DisposeAsync().AsTask()));
        if (_host is not null)
        {
            await _host.DisposeAsync();
        }

        _postgres?.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    /// <summary>What the host used and sent so far; <paramref name="ControlBytes"/> is -1 where it cannot be told.</summary>
    internal sealed record HostCost(
        double DatagramBytes,
        double Datagrams,
        double ControlBytes,
        double CpuMs,
        double RssMb,
        double CatchUps,
        double Beacons,
        double Repairs,
        double RssAtStartMb)
    {
        /// <summary>What <c>--explain-memory</c> says of this host: fixed and kept.</summary>
        public required double MemoryPlannedMb { get; init; }

        /// <summary>The same with what passes through.</summary>
        public required double MemorySumMb { get; init; }

        public required int Regions { get; init; }

        /// <summary>Members that were removed as failed.</summary>
        public required double Failures { get; init; }

        /// <summary>
        /// How long a call waited for the core, since the counters were asked for before; not a number where it is not probed.
        /// </summary>
        public required double CoreWaitP99Ms { get; init; }

        public required double CoreWaitMaxMs { get; init; }

        /// <summary>The most processor time the core used between two answers, some 2 ms apart and more where it was busy.</summary>
        public required double CoreBusyMaxMs { get; init; }
    }
}
