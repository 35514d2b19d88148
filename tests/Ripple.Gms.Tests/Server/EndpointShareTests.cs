using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

/// <summary>What the hosts of a cluster tell each other of where they are, over a database that may be away.</summary>
public sealed class EndpointShareTests
{
    private static readonly HostEndpoint Own = new("one", 7400);
    private static readonly HostEndpoint Other = new("two", 7400);
    private readonly List<string> _failures = [];
    private IReadOnlyList<HostEndpoint> _used = [];
    private Func<IReadOnlyList<HostEndpoint>> _ask = () => [Own, Other];

    private EndpointShare Share() => new(Own, () => _ask(), used => _used = used, _failures.Add);

    [Fact]
    public async Task A_share_that_hangs_holds_up_nobody_and_is_not_begun_twice()
    {
        using var gate = new ManualResetEventSlim();
        int asked = 0;
        _ask = () =>
        {
            Interlocked.Increment(ref asked);
            gate.Wait(HostHarness.Cancel);
            return [Own];
        };
        EndpointShare share = Share();
        Task first = share.Begin();
        Assert.Same(first, share.Begin());
        Assert.False(first.IsCompleted);
        gate.Set();
        await first;
        Assert.Equal(1, asked);
        await share.Begin();
        Assert.Equal(2, asked);
    }

    [Fact]
    public async Task A_database_that_is_away_is_told_once_until_it_is_back_and_what_was_known_stays()
    {
        EndpointShare share = Share();
        share.Run();
        Assert.Equal([Own, Other], _used);
        Func<IReadOnlyList<HostEndpoint>> well = _ask;
        _ask = () => throw new StoreException("away");
        await share.Begin();
        await share.Begin();
        Assert.Equal(["away"], _failures);
        Assert.Equal([Own, Other], _used);
        _ask = well;
        await share.Begin();
        _ask = () => throw new StoreException("away again");
        await share.Begin();
        Assert.Equal(["away", "away again"], _failures);
    }

    [Fact]
    public void Who_can_ask_nobody_at_its_start_is_named_alone()
    {
        _ask = () => throw new StoreException("away");
        Share().Run();
        Assert.Equal([Own], _used);
    }
}
