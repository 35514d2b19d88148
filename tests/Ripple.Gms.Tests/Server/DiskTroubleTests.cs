using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Store;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>A disk that is full, or does not take a flush, for a while: nodes and reads go on, and nothing is started again.</summary>
public sealed class DiskTroubleTests : IDisposable
{
    private const int DiskBytes = 16 * 1_024 * 1_024;
    private readonly TempDirectory _directory = new();
    private readonly string _large = new('x', 3_000_000);

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task A_host_on_a_full_disk_serves_starts_refuses_publishes_with_the_reason_and_publishes_when_there_is_room()
    {
        using var disk = SmallDisk.MountOrSkip(_directory.Path, DiskBytes);
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            using RippleAdminClient admin = AdminOf(host.Admin);
            Assert.Equal(1UL, (await PublishAsync(admin, "1")).Release);
            disk.Fill();
            await IsRefusedAsync(admin);
            string health = await HealthAsync(host);
            Assert.StartsWith(
                $"degraded: disk full: publishes are refused until there is room for '{host.Server.Directory.Store}'",
                health,
                StringComparison.Ordinal);
            Assert.Matches("\nstore [0-9]+ bytes, [0-9]+ of them free; disk [0-9]+ bytes free", health);
            await ReadsAsync(host);
            disk.MakeRoom();
            Assert.Equal(2UL, (await PublishAsync(admin, "2")).Release);
            await ControlHarness.UntilAsync(
                () => host.Logs.Lines.Any(l => l.Id == LogEvents.StoreRecovered), "the host says that it passed");
            Assert.Contains(host.Logs.Lines, l => l.Id == LogEvents.StoreFull);
            Assert.StartsWith("ok\n", await HealthAsync(host), StringComparison.Ordinal);
            disk.Fill();
        }

        disk.Fill();
        await using HostHarness again = await HostHarness.StartAsync(_directory.Path);
        disk.Fill();
        await ReadsAsync(again);
        using RippleAdminClient later = AdminOf(again.Admin);
        var id = Guid.NewGuid();
        await IsRefusedAsync(later, id);
        await IsRefusedAsync(later, id);
        disk.MakeRoom();
        // Who asks again with the same id, as a client does by itself, has it released once.
        Assert.Equal(3UL, (await PublishAsync(later, _large, id)).Release);
        Assert.Equal(3UL, (await PublishAsync(later, _large, id)).Release);
        Assert.Equal(4UL, (await PublishAsync(later, "4")).Release);
    }

    [Fact]
    public async Task A_flush_that_fails_is_told_as_not_known_and_publishes_work_when_the_disk_does()
    {
        if (!OperatingSystem.IsLinux() || !File.Exists("/usr/bin/prlimit"))
        {
            Assert.Skip("A limit of a running process needs Linux and prlimit.");
        }

        string[] arguments = ["--data", _directory.Path, "--listen", "127.0.0.1:0", "--health", "off"];
        using HostProcess host = await HostProcess.StartAsync(arguments, isLimited: true);
        var files = new GmsDirectory(_directory.Path);
        using RippleAdminClient admin = AdminOf(ConnectionString.ReadFile(files.AdminConnection));
        Assert.Equal(1UL, (await PublishAsync(admin, "1")).Release);
        // No file may grow: the log has no room for another commit, and it is not the disk that says so.
        await host.LimitFilesAsync(new FileInfo(files.Store + "-wal").Length);
        var unknown = Guid.NewGuid();
        RippleAdminException e = await Assert.ThrowsAsync<RippleAdminException>(() => PublishAsync(admin, "2", unknown));
        Assert.Equal(ProblemCodes.StoreFailed, e.Problem?.Code);
        Assert.Contains("Whether it was released is not known", e.Message, StringComparison.Ordinal);
        Assert.Equal(1UL, (await admin.GetReleaseAsync("default", 1, HostHarness.Cancel)).Release);

        await ControlHarness.UntilAsync(() => host.Output.Contains("takes no commits", StringComparison.Ordinal), "the host says it");
        await host.LimitFilesAsync(null);
        PublishResult? done = null;
        await ControlHarness.UntilAsync(() => (done = TryPublish()) is not null, "the host publishes again");
        Assert.Equal(2UL, done!.Release);
        Assert.Equal(2UL, (await PublishAsync(admin, "2", unknown)).Release);
        await ControlHarness.UntilAsync(() => host.Output.Contains("takes commits again", StringComparison.Ordinal), "the host says so");

        PublishResult? TryPublish()
        {
            try
            {
                return PublishAsync(admin, "2", unknown).GetAwaiter().GetResult();
            }
            catch (RippleAdminException)
            {
                return null;
            }
        }
    }

    private static RippleAdminClient AdminOf(ConnectionString connection) =>
        new(connection, new RippleAdminOptions { RetryCount = 0, ConnectTimeout = ControlHarness.Patience });

    private static Task<PublishResult> PublishAsync(RippleAdminClient admin, string text, Guid? id = null) => admin.PublishAsync(
        "default", new PublishRequest { Set = [new KeyValue { Key = "a.txt", Text = text }] }, null, id, HostHarness.Cancel);

    private async Task IsRefusedAsync(RippleAdminClient admin, Guid? id = null)
    {
        RippleAdminException e = await Assert.ThrowsAsync<RippleAdminException>(() => PublishAsync(admin, _large, id));
        Assert.Equal(ProblemCodes.Busy, e.Problem?.Code);
        Assert.Contains("Nothing was released: The disk of the store is full", e.Message, StringComparison.Ordinal);
    }

    private static async Task ReadsAsync(HostHarness host)
    {
        await using RealNode reader = await JoinAsync(host, host.Client);
        await ControlHarness.UntilAsync(() => !reader.Applied.IsEmpty, "a new node is served");
    }

    private static async Task<string> HealthAsync(HostHarness host)
    {
        using var http = new HttpClient { BaseAddress = new Uri($"http://{host.Server.HealthAddress}") };
        return await http.GetStringAsync(new Uri("/health/ready", UriKind.Relative), HostHarness.Cancel);
    }

    private static async Task<RealNode> JoinAsync(HostHarness host, ConnectionString connection)
    {
        RealNode node = await RealNode.StartAsync(connection, ClusterAuthority.Load(host.Server.Directory.Authority).Trust);
        await node.Joined.Task.WaitAsync(TimeSpan.FromMinutes(2), HostHarness.Cancel);
        return node;
    }
}
