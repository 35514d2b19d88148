using Ripple.Engine.Core;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Monitors;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>What monitors cost, counted in values of rows that are read.</summary>
public sealed class MonitorCostTests
{
    private readonly FrontierTable _table = Tables.OfNodes(new ulong[100]);
    private readonly FrontierMonitors _monitors;
    private readonly List<ulong> _points = [];

    public MonitorCostTests()
    {
        _monitors = new FrontierMonitors(
            _table,
            new CoreLoop(
                new CoreOptions { AlarmsMax = 16, RequestsMax = 2, IoPerClassMax = 1, SlabsPerLane = 1, RefusedTrainsMax = 1 }, 1),
            zone: null);
    }

    [Fact]
    public void Reports_that_cannot_move_a_monitor_cost_it_nothing_and_those_that_do_are_told()
    {
        Follow("MIN($ALL)");
        Look();
        Assert.Equal([0UL], _points);
        long settled = _table.ValuesRead;
        for (int i = 0; i < 99; i++)
        {
            Tables.Received(_table, _table.Rows[i], 1);
            Look();
        }

        Assert.Equal(settled, _table.ValuesRead);
        Tables.Received(_table, _table.Rows[99], 3);
        Look();
        Assert.Equal([0UL, 1UL], _points);
        foreach (FrontierRow row in _table.Rows)
        {
            Tables.Received(_table, row, 5);
        }

        Look();
        // The newest alone.
        Assert.Equal([0UL, 1UL, 5UL], _points);
    }

    [Fact]
    public void Who_left_and_a_new_generation_are_seen_and_who_follows_no_more_watches_nothing()
    {
        FrontierMonitor monitor = Follow("MIN($ALL)");
        for (int i = 0; i < 99; i++)
        {
            Tables.Received(_table, _table.Rows[i], 2);
        }

        Look();
        _table.SetStatus(_table.Rows[99], MemberStatus.Left);
        _monitors.Look(long.MaxValue, out bool mustLookAgain);
        Assert.True(mustLookAgain);
        Assert.Equal([0UL], _points);
        Assert.True(_table.BeginGeneration(2));
        Assert.Equal(1, _table.Crossings.Count);
        monitor.Dispose();
        Assert.Equal((0, 0), (_monitors.Count, _table.Crossings.Count));
    }

    private FrontierMonitor Follow(string text)
    {
        WaitLedger.Lease lease = new WaitLedger().TryTake(new ShareOwner("t", null), new WaitShare(), 100, out _)!;
        return _monitors.Begin(Tables.Parse(text), null, 0, lease, p => _points.Add(p.Release), _ => { }, out _)!;
    }

    private void Look() => Assert.True(_monitors.Look(long.MaxValue, out _));
}
