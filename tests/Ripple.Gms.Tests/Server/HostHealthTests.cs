using Ripple.Engine.Core;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Store;
using Ripple.Simulator.Disks;
using Ripple.Transports.Running;

namespace Ripple.Gms.Tests.Server;

/// <summary>What a host says of itself; the first that is wrong is said.</summary>
public sealed class HostHealthTests : IDisposable
{
    private readonly CoreRunner _runner = new(new CoreLoop(new CoreOptions(), 1));
    private readonly ScriptedStore _store =
        new(new SimulatedDisk((_, action) => action(), new DeterministicRandom(1)).Open(), static action => action());

    private readonly TaskCompletionSource _completion = new();
    private readonly Lease _lease = new();
    private readonly HostHealth _health;
    private long _leaves;
    private StoreSpace _space = new(10_000, 4_096, 5_000_000);

    public HostHealthTests()
    {
        _runner.Start();
        _health = new HostHealth(_runner, _store, "/data/ripple.db", () => _space, _lease, _completion.Task) { Leaves = () => _leaves };
    }

    public void Dispose()
    {
        _runner.Stop();
        _store.Dispose();
    }

    [Fact]
    public async Task A_host_whose_core_answers_is_live_and_ready()
    {
        Assert.Equal(new HealthAnswer(true, "ok"), _health.Live());
        Assert.Equal(new HealthAnswer(true, WithSpace("ok")), await _health.ReadyAsync());
        _space = new StoreSpace(1, 0, -1);
        Assert.Equal("ok\nstore 1 bytes, 0 of them free; the disk does not say what it has free", (await _health.ReadyAsync()).Text);
    }

    [Fact]
    public async Task A_host_with_leaves_is_well_and_says_how_many()
    {
        _leaves = 2;
        Assert.Equal(
            new HealthAnswer(true, $"{WithSpace("ok")}\nmembers that left their region's view, too slow or not reached by UDP: 2"),
            await _health.ReadyAsync());
    }

    [Fact]
    public async Task A_host_that_is_not_sure_that_it_leads_serves_its_nodes_and_says_so()
    {
        _lease.IsHeld = false;
        Assert.Equal(
            new HealthAnswer(true, WithSpace(
                "degraded: not sure that it leads: calls are refused until the database renews its lease, nodes go on")),
            await _health.ReadyAsync());
        Assert.Equal(new HealthAnswer(true, "ok"), _health.Live());
    }

    [Fact]
    public async Task A_host_that_failed_is_neither_live_nor_ready()
    {
        _completion.SetException(new InvalidOperationException("broken"));

        Assert.Equal(new HealthAnswer(false, "failed"), _health.Live());
        Assert.Equal(new HealthAnswer(false, "failed"), await _health.ReadyAsync());
    }

    [Fact]
    public async Task A_host_whose_store_takes_no_commits_serves_on_and_says_why()
    {
        _store.Break("no disk");
        _store.Commit(new CommitBatch(), _ => { });

        Assert.Equal(new HealthAnswer(true, "ok"), _health.Live());
        Assert.Equal(
            new HealthAnswer(true, WithSpace(
                "degraded: store broken: publishes are refused until the disk of '/data/ripple.db' works, reads and nodes go on. no disk")),
            await _health.ReadyAsync());
        _store.Mend();
        Assert.Equal(new HealthAnswer(true, WithSpace("ok")), await _health.ReadyAsync());
    }

    [Fact]
    public async Task A_host_whose_disk_is_full_serves_on_and_says_where_and_how_much_is_free()
    {
        _store.Fill("no room");
        _store.Commit(new CommitBatch(), _ => { });

        Assert.Equal(
            new HealthAnswer(true, WithSpace(
                "degraded: disk full: publishes are refused until there is room for '/data/ripple.db', reads and nodes go on. no room")),
            await _health.ReadyAsync());
    }

    [Fact]
    public async Task A_host_that_stops_says_so_first()
    {
        _store.Break("no disk");
        _health.IsStopping = true;

        Assert.Equal(new HealthAnswer(false, "stopping"), await _health.ReadyAsync());
    }

    [Fact]
    public async Task A_host_whose_core_is_gone_is_not_ready()
    {
        _runner.Stop();

        Assert.Equal(new HealthAnswer(false, "core does not answer"), await _health.ReadyAsync());
    }

    [Fact]
    public async Task All_who_ask_are_told_that_a_core_is_stuck_and_when_it_goes_on()
    {
        using var gate = new ManualResetEventSlim();
        Task stuck = _runner.RunAsync(gate.Wait);
        HealthAnswer[] answers = await Task.WhenAll(_health.ReadyAsync(), _health.ReadyAsync(), _health.ReadyAsync());
        Assert.All(answers, a => Assert.Equal(new HealthAnswer(false, "core does not answer"), a));

        gate.Set();
        await stuck;
        Assert.True((await _health.ReadyAsync()).IsWell);
    }

    private static string WithSpace(string text) => text + "\nstore 10000 bytes, 4096 of them free; disk 5000000 bytes free";

    private sealed class Lease : IHostLease
    {
        public bool IsHeld { get; set; } = true;
    }
}
