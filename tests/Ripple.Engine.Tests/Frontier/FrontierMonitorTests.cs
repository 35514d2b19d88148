using Ripple.Engine.Frontier;

namespace Ripple.Engine.Tests.Frontier;

public sealed class FrontierMonitorTests
{
    [Fact]
    public void A_monitor_is_told_whenever_the_value_grows_and_only_then()
    {
        WaitRig rig = new(Tables.OfNodes(2, 3));
        List<ulong> values = [];
        FrontierMonitor monitor = Start(rig, "MIN($ALL)", values);
        Tables.Received(rig.Table, rig.Row(1), 9);
        rig.Look();
        Tables.Received(rig.Table, rig.Row(0), 5);
        rig.Look();
        rig.Frontier.Monitors.Cancel(monitor);
        Tables.Received(rig.Table, rig.Row(0), 6);
        rig.Look();
        Assert.Equal([2UL, 5UL], values);
        Assert.Equal(0, rig.Frontier.Monitors.Count);
    }

    [Fact]
    public void A_monitor_follows_members_and_generations_and_waits_for_a_set_to_fill()
    {
        WaitRig rig = new(new FrontierTable("a", 1));
        List<ulong> values = [];
        FrontierMonitor monitor = Start(rig, "MIN($ALL)", values);
        Assert.Contains("no members", monitor.Problem!.Message, StringComparison.Ordinal);
        FrontierRow first = Tables.Add(rig.Table, 1, "n1");
        Tables.Received(rig.Table, first, 4);
        rig.Look();
        Assert.Null(monitor.Problem);
        FrontierRow second = Tables.Add(rig.Table, 2, "n2");
        Tables.Received(rig.Table, second, 3);
        Tables.Received(rig.Table, first, 7);
        rig.Look();
        rig.Table.SetStatus(second, MemberStatus.Left);
        rig.Look();
        rig.Table.BeginGeneration(2);
        Tables.Received(rig.Table, first, 2);
        rig.Look();
        Assert.Equal([4UL, 7UL, 2UL], values);
    }

    [Fact]
    public void A_monitor_of_a_name_follows_its_changes()
    {
        WaitRig rig = new(Tables.OfNodes(2, 3));
        PredicateNames names = rig.Frontier.Names;
        Assert.False(names.TryRegister("stable", "MIN(", out PredicateError? error));
        Assert.True(names.TryRegister("stable", "MAX($ALL)", out error));
        Assert.False(names.TryRegister("stable", "MIN($ALL)", out error));
        Assert.Contains("already", error.Message, StringComparison.Ordinal);
        Assert.False(names.TryChange("other", "MIN($ALL)", out error));
        Assert.False(names.TryChange("stable", "nonsense", out error));
        List<ulong> values = [];
        Assert.True(rig.Frontier.Monitors.TryStart("stable", (_, value) => values.Add(value), out _, out error));
        Assert.True(names.TryChange("stable", "MIN($ALL)", out error));
        Assert.Equal([3UL, 2UL], values);
        Assert.True(names.Remove("stable"));
        Assert.False(rig.Frontier.Monitors.TryStart("stable", (_, _) => { }, out _, out error));
        Assert.Contains("register it", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_and_monitors_are_bounded()
    {
        WaitRig rig = new(Tables.OfNodes(1));
        for (int i = 0; i < PredicateNames.NamesMax; i++)
        {
            Assert.True(rig.Frontier.Names.TryRegister($"p{i}", "MIN($ALL)", out _));
            Start(rig, "MIN($ALL)", []);
        }

        Assert.False(rig.Frontier.Names.TryRegister("more", "MIN($ALL)", out _));
        Assert.False(rig.Frontier.Monitors.TryStart(Tables.Parse("MIN($ALL)"), (_, _) => { }, out _, out _));
    }

    private static FrontierMonitor Start(WaitRig rig, string text, List<ulong> values)
    {
        Assert.True(rig.Frontier.Monitors.TryStart(Tables.Parse(text), (_, value) => values.Add(value), out FrontierMonitor? monitor, out _));
        return monitor;
    }
}
