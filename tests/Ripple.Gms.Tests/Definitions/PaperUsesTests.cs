using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Tests.Calls;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Gms.Tests.Definitions;

/// <summary>
/// The uses that Stabilizer was evaluated with (VI), by what an application defines: nodes of three regions, on a host.
/// </summary>
public sealed class PaperUsesTests
{
    private const string Companion = "$shop";

    private readonly CallRig _host = new();
    private readonly ControlCaller _publisher;
    private readonly SortedDictionary<string, ControlCaller> _nodes = new(StringComparer.Ordinal);

    public PaperUsesTests()
    {
        _publisher = _host.Connect(CallRig.Publisher);
        // Regions of two, one and one zones, as in Fig. 2 there are of four, one and one servers.
        foreach ((string name, string zone) in ((string, string)[])[("n1", "va-1"), ("n2", "va-2"), ("n3", "or-1"), ("n4", "oh-1")])
        {
            ControlCaller node = _nodes[name] = _host.Connect(CallRig.Node);
            node.Send(_host.JoinMessage(name) with { Zone = zone });
            _host.Run();
            Assert.Single(node.Take<JoinAccepted>());
        }

        Define("areas/virginia", "va-1,va-2");
        Define("areas/oregon", "or-1");
        Define("areas/ohio", "oh-1");
    }

    [Fact]
    public void A_put_is_locally_stable_at_once_and_stronger_by_predicate()
    {
        Assert.Equal(1UL, _publisher.Publish("a", "1").Release);
        Wait(1, "MIN($REPLICAS.persisted)");
        Wait(2, "MAX($AREA(\"oregon\").persisted)");
        Wait(3, "MIN($ALL.applied)");
        Assert.Equal([1u], Ended());
        _nodes["n3"].Report(1);
        Assert.Equal([2u], Ended());
        foreach (string name in (string[])["n1", "n2", "n4"])
        {
            _nodes[name].Report(1);
        }

        Assert.Equal([3u], Ended());
    }

    [Fact]
    public void The_six_predicates_of_table_III_are_names_that_are_followed()
    {
        const string Regions = "MAX($AREA(\"virginia\")),MAX($AREA(\"oregon\")),MAX($AREA(\"ohio\"))";
        (string Name, string Text)[] table =
        [
            ("one-region", $"MAX({Regions})"),
            ("majority-regions", $"KTH_MAX(2,{Regions})"),
            ("all-regions", $"MIN({Regions})"),
            ("one-node", "MAX($ALL)"),
            ("majority-nodes", "KTH_MAX(SIZEOF($ALL)/2+1,$ALL)"),
            ("all-nodes", "MIN($ALL)"),
        ];
        foreach ((string name, string text) in table)
        {
            Define($"predicates/{name}", text);
        }

        for (int i = 0; i < 4; i++)
        {
            _publisher.Publish("a", $"{i}");
        }

        _nodes["n1"].Report(4);
        _nodes["n2"].Report(3);
        _nodes["n3"].Report(2);
        _nodes["n4"].Report(1);
        uint call = 0;
        foreach ((string name, _) in table)
        {
            _publisher.Send(new Monitor(++call, CallRig.Shop, name));
        }

        _host.Run();
        Assert.Equal([4UL, 2UL, 1UL, 4UL, 2UL, 1UL], _publisher.Take<MonitorPoint>().OrderBy(p => p.Call).Select(p => p.Release));
    }

    /// <summary>
    /// A write is done when its predicate holds; a read asks so many nodes and takes the newest that one has. Over every way in which a
    /// release is at some nodes and not at others, no read that begins after a write misses it, if and only if the quorums meet: the
    /// paper's majority, KTH_MIN(n/2+1), is met by half where the number is even.
    /// </summary>
    [Theory]
    [InlineData("KTH_MAX(SIZEOF($ALL)/2+1,$ALL.applied)", 2, true)]
    [InlineData("KTH_MAX(2,$ALL.applied)", 3, true)]
    [InlineData("MIN($ALL.applied)", 1, true)]
    [InlineData("KTH_MIN(SIZEOF($ALL)/2+1,$ALL.applied)", 2, false)]
    [InlineData("KTH_MAX(2,$ALL.applied)", 2, false)]
    public void Read_and_write_quorums_that_meet_have_no_read_that_misses_a_write(string write, int readers, bool isSafe)
    {
        Define("predicates/write", write);
        ControlCaller[] nodes = [.. _nodes.Values];
        bool hasMissed = false;
        ulong release = 0;
        for (int who = 0; who < 1 << nodes.Length; who++)
        {
            // Everybody has what was before; then some have the next.
            _publisher.Publish("a", $"{who}");
            release++;
            Array.ForEach(nodes, n => n.Report(release));
            _publisher.Publish("b", $"{who}");
            release++;
            for (int i = 0; i < nodes.Length; i++)
            {
                if ((who & (1 << i)) != 0)
                {
                    nodes[i].Report(release);
                }
            }

            uint call = (uint)who + 1;
            Wait(call, "write", release);
            bool isWritten = Ended().Contains(call);
            // The read of the nodes that have it least.
            int lacking = nodes.Length - System.Numerics.BitOperations.PopCount((uint)who);
            hasMissed |= isWritten && lacking >= readers;
            _publisher.Send(new WaitCancel(call));
            Array.ForEach(nodes, n => n.Report(release));
        }

        Assert.Equal(isSafe, !hasMissed);
    }

    [Fact]
    public void A_predicate_that_is_changed_while_publishes_run_is_seen_to_be_another()
    {
        Define("predicates/consistency", "MIN($ALL.applied)");
        ulong version = _host.Definitions!.Predicates["consistency"].Version;
        _publisher.Send(new Monitor(1, CallRig.Shop, "consistency"));
        _host.Run();
        var points = new List<(ulong Version, ulong Release)>();
        for (ulong release = 1; release <= 12; release++)
        {
            Assert.Equal(ErrorCode.None, _publisher.Publish("a", $"{release}").Code);
            // One region is slow from the middle on: the application goes on without it, and comes back.
            foreach ((string name, ControlCaller node) in _nodes)
            {
                node.Report(name == "n3" ? Math.Min(release, 4) : release);
            }

            if (release == 6)
            {
                Define("predicates/consistency", "MIN(($ALL - $AREA(\"oregon\")).applied)");
            }
            else if (release == 10)
            {
                Define("predicates/consistency", "MIN($ALL.applied)");
            }

            _host.Run();
            points.AddRange(_publisher.Take<MonitorPoint>().Where(p => p.Code == ErrorCode.None).Select(p => (p.Version, p.Release)));
        }

        Assert.Equal(points.Order(), points);
        Assert.Contains((version, 4UL), points);
        Assert.Contains((version + 1, 10UL), points);
        // Stricter again: an older release, and a greater version that says so.
        Assert.Equal((version + 2, 4UL), points[^1]);
    }

    /// <summary>On a connection of its own: who says nothing for long is gone.</summary>
    private void Define(string key, string value) =>
        Assert.Equal(ErrorCode.None, _host.Connect(CallRig.Admin).Publish(key, value, application: Companion).Code);

    private void Wait(uint call, string predicate, ulong release = 1)
    {
        _publisher.Send(new Wait(call, CallRig.Shop, 0, release, predicate, 0, CountLeft: false));
        _host.Run();
    }

    private IEnumerable<uint> Ended()
    {
        _host.Run();
        return [.. _publisher.Take<WaitResult>().Where(r => r.Code == ErrorCode.None).Select(r => r.Call)];
    }
}
