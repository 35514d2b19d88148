using System.Diagnostics;
using System.Globalization;
using Ripple.Gms.Server;
using Ripple.Load.Processes;
using Ripple.Tests.Shared.Postgres;
using Ripple.Trust;

namespace Ripple.Load.Cluster;

/// <summary>The hosts' processes, of which one leads.</summary>
internal sealed class ClusterHosts : IAsyncDisposable
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(2);
    private readonly string _folder = Directory.CreateTempSubdirectory("ripple-cluster-").FullName;
    private readonly List<Host> _hosts = [];
    private readonly string _storeFile;
    private TaskCompletionSource<Host> _leads = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private ClusterHosts(string database)
    {
        _storeFile = Path.Combine(_folder, "store.connection");
        OwnerOnly.Write(_storeFile, database);
    }

    /// <summary>The file with the connection string of nodes, with all hosts in it.</summary>
    public string Connection => Path.Combine(_folder, "client.connection");

    /// <summary>The same of an administrator.</summary>
    public string AdminConnection => Path.Combine(_folder, "admin.connection");

    /// <summary>Snapshots that hosts sent, of those that were asked.</summary>
    public long Snapshots { get; private set; }

    /// <summary>Starts the first host, and the others beside it.</summary>
    public static async Task<ClusterHosts> StartAsync(int count, string database)
    {
        var hosts = new ClusterHosts(database);
        for (int i = 0; i < count; i++)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"host-{i + 1}");
            hosts._hosts.Add(new Host(name, FreePort.Tcp(), Path.Combine(hosts._folder, name)));
        }

        Host first = hosts._hosts[0];
        hosts.Start(first);
        await hosts.LeaderAsync();
        foreach (Host other in hosts._hosts.Skip(1))
        {
            OwnerOnly.Copy(new GmsDirectory(first.Directory).ClusterKey, new GmsDirectory(other.Directory).ClusterKey);
            hosts.Start(other);
        }

        HostEndpoint[] endpoints = [.. hosts._hosts.Select(h => new HostEndpoint("127.0.0.1", h.Port))];
        WriteFor(endpoints, new GmsDirectory(first.Directory).ClientConnection, hosts.Connection);
        WriteFor(endpoints, new GmsDirectory(first.Directory).AdminConnection, hosts.AdminConnection);
        return hosts;
    }

    /// <summary>Waits until a host says that it leads.</summary>
    public Task LeaderAsync() => _leads.Task.WaitAsync(Timeout);

    /// <summary>Kills the leader, waits until another leads, and starts the killed one as a standby.</summary>
    public async Task KillLeaderAsync()
    {
        Host leader = await TakeLeaderAsync();
        await CountSnapshotsAsync(leader);
        await leader.Process!.KillAsync();
        await LeaderAsync();
        Start(leader);
    }

    /// <summary>Stops the leader for a while, and lets it go on.</summary>
    public async Task StopLeaderAsync(TimeSpan time)
    {
        Host leader = await TakeLeaderAsync();
        await CountSnapshotsAsync(leader);
        await SignalAsync(leader, "STOP");
        await Task.Delay(time);
        await SignalAsync(leader, "CONT");
        await LeaderAsync();
    }

    /// <summary>Asks the leader how many snapshots it sent.</summary>
    public async Task CountSnapshotsAsync() => await CountSnapshotsAsync(await _leads.Task.WaitAsync(Timeout));

    public async ValueTask DisposeAsync()
    {
        foreach (Host host in _hosts.Where(h => h.Process is not null))
        {
            await host.Process!.DisposeAsync();
        }

        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>Who leads; from now on another may.</summary>
    private async Task<Host> TakeLeaderAsync()
    {
        Host leader = await _leads.Task.WaitAsync(Timeout);
        _leads = new(TaskCreationOptions.RunContinuationsAsynchronously);
        return leader;
    }

    private async Task CountSnapshotsAsync(Host leader)
    {
        leader.Counted = new(TaskCreationOptions.RunContinuationsAsynchronously);
        await leader.Process!.SendAsync("count");
        Snapshots += await leader.Counted.Task.WaitAsync(Timeout);
    }

    private void Start(Host host)
    {
        Child process = host.Process = Child.Start(
            Roles.ClusterHost, host.Directory, _storeFile, host.Port.ToString(CultureInfo.InvariantCulture), host.Name);
        _ = Task.Run(async () =>
        {
            await foreach (string[] words in process.ReadAllAsync())
            {
                if (words[0] == "leads")
                {
                    _leads.TrySetResult(host);
                }
                else
                {
                    host.Counted?.TrySetResult(long.Parse(words[1], CultureInfo.InvariantCulture));
                }
            }
        });
    }

    private static async Task SignalAsync(Host host, string signal)
    {
        using Process kill = Process.Start(
            "kill", [$"-{signal}", host.Process!.ProcessId.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
    }

    /// <summary>Writes a connection string again, with all hosts in it.</summary>
    private static void WriteFor(HostEndpoint[] endpoints, string from, string to)
    {
        ConnectionString read = ConnectionString.ReadFile(from);
        ConnectionFile.Make(endpoints, read.Authority, read.Token!, read.Application).Write(to);
    }

    private sealed class Host(string name, int port, string directory)
    {
        public string Name => name;

        public int Port => port;

        public string Directory => directory;

        public Child? Process { get; set; }

        public TaskCompletionSource<long>? Counted { get; set; }
    }
}
