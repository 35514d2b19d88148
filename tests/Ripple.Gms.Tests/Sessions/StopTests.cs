using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Joining;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>What the connections are told by a host that stops.</summary>
public sealed class StopTests
{
    [Fact]
    public void Every_connection_is_told_why_and_closed_and_no_wait_ends()
    {
        var rig = new HostRig();
        NodeRig member = rig.Join(1);
        NodeRig unjoined = rig.Connect(2);
        rig.Publish();
        member.Send(new Wait(1, HostRig.Shop, 0, 1, "MIN($ALL.applied)", 0, CountLeft: false));
        rig.Run(5 * HostRig.MillisecondNs);
        member.Forget();
        rig.Stop("it is upgraded");
        foreach (NodeRig node in (NodeRig[])[member, unjoined])
        {
            // That its members go because it stops says nothing about a release: who waits asks elsewhere.
            Assert.Equal([MessageType.Goodbye], node.Types);
            Assert.Equal("it is upgraded", node.Only<Goodbye>().Reason);
            Assert.Equal("it is upgraded", node.ClosedReason);
        }

        Assert.Equal((0, 0), (rig.Counters.Members, rig.Counters.Failures));
    }

    [Fact]
    public void That_members_go_because_the_host_stops_is_not_stored()
    {
        var rig = new HostRig();
        rig.Join(1);
        rig.Publish();
        rig.Stop("it is upgraded");
        rig.Run(2 * HostRig.SecondNs);
        Assert.Equal((HostRig.NodeOf(1), null), rig.StoredMembers.Select(m => (m.Node, m.LastRelease)).Single());
    }

    [Fact]
    public void A_host_that_stops_takes_no_connection()
    {
        var rig = new HostRig();
        rig.Stop("it is upgraded");
        NodeRig late = rig.Connect(1);
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal("the host stops", late.ClosedReason);
        Assert.Empty(late.Types);
    }
}
