using Ripple.Engine.Core;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Store;
using Ripple.Testing.Disks;
using Ripple.Transports.Running;

namespace Ripple.Gms.Tests.Server;

/// <summary>What a host says of itself; the first that is wrong is said.</summary>
public sealed class HostHealthTests : IDisposable
{
    private readonly CoreRunner _runner = new(new CoreLoop(new CoreOptions(), 1));
    private readonly ScriptedStore _store =
        new(new SimulatedDisk((_, action) => action(), new DeterministicRandom(1)).Open(), static action => action());

    private readonly TaskCompletionSource _completion = new();
    private readonly HostHealth _health;

    public HostHealthTests()
    {
        _runner.Start();
        _health = new HostHealth(_runner, _store, _completion.Task);
    }

    public void Dispose()
    {
        _runner.Stop();
        _store.Dispose();
    }

    [Fact]
    public async Task A_host_whose_core_answers_is_live_and_ready()
    {
        Assert.Equal(HostHealth.Ok, _health.Live());
        Assert.Equal(HostHealth.Ok, await _health.ReadyAsync());
    }

    [Fact]
    public async Task A_host_that_failed_is_neither_live_nor_ready()
    {
        _completion.SetException(new InvalidOperationException("broken"));

        Assert.Equal("failed", _health.Live());
        Assert.Equal("failed", await _health.ReadyAsync());
    }

    [Fact]
    public async Task A_host_whose_store_is_broken_is_live_and_not_ready()
    {
        _store.Break("no disk");

        Assert.Equal(HostHealth.Ok, _health.Live());
        Assert.Equal("store broken", await _health.ReadyAsync());
    }

    [Fact]
    public async Task A_host_that_stops_says_so_first()
    {
        _store.Break("no disk");
        _health.IsStopping = true;

        Assert.Equal("stopping", await _health.ReadyAsync());
    }

    [Fact]
    public async Task A_host_whose_core_is_gone_is_not_ready()
    {
        _runner.Stop();

        Assert.Equal("core does not answer", await _health.ReadyAsync());
    }

    [Fact]
    public async Task All_who_ask_are_told_that_a_core_is_stuck_and_when_it_goes_on()
    {
        using var gate = new ManualResetEventSlim();
        Task stuck = _runner.RunAsync(gate.Wait);
        string[] answers = await Task.WhenAll(_health.ReadyAsync(), _health.ReadyAsync(), _health.ReadyAsync());
        Assert.All(answers, a => Assert.Equal("core does not answer", a));

        gate.Set();
        await stuck;
        Assert.Equal(HostHealth.Ok, await _health.ReadyAsync());
    }
}
