using Ripple.Engine.Frontier;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Tests.Sessions;
using Ripple.Testing.Disks;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>Which release a wait is for, when the host was restored between two asks.</summary>
public sealed class WaitGenerationTests
{
    private const byte Held = 0;
    private const byte CannotHold = 1;
    private readonly HostRig _rig = new();
    private uint _calls;

    [Fact]
    public void A_wait_for_a_generation_that_ended_cannot_hold_whatever_its_number_is()
    {
        NodeRig node = Restored(MarkFate.Lost);
        node.Heartbeat(new LevelRow(HostRig.ShopTopic, 2, 2, 2, 2));
        _rig.Run(20 * HostRig.MillisecondNs);
        // Release 1 is in the copy, 2 is another release now, and 9 is above the newest.
        foreach (ulong release in (ulong[])[1, 2, 9])
        {
            WaitResult ended = Ask(node, 1, release);
            Assert.Equal((ErrorCode.None, CannotHold, 1u), (ended.Code, ended.Outcome, ended.Generation));
            Assert.Equal("Generation 1 of shop ended; the application is in generation 2.", ended.Text);
        }

        Assert.Equal((Held, 2u), (Ask(node, 2, 2).Outcome, Ask(node, 2, 2).Generation));
        Assert.Equal((Held, 2u), (Ask(node, 0, 2).Outcome, Ask(node, 0, 2).Generation));
    }

    [Fact]
    public void What_is_named_with_its_generation_and_not_known_is_not_known_yet()
    {
        NodeRig node = Restored(MarkFate.Copied);
        foreach ((uint generation, ulong release) in ((uint, ulong)[])[(1, 2), (2, 1), (2, 2)])
        {
            WaitResult unknown = Ask(node, generation, release);
            string text = $"Release {generation}/{release} of 'shop' is not known here yet; the newest is 1/1. ";
            Assert.Equal((ErrorCode.Busy, text + "Ask again, or look at its history."), (unknown.Code, unknown.Text));
        }

        Assert.Equal(ErrorCode.NotFound, Ask(node, 0, 2).Code);
        Assert.Equal(ErrorCode.NotFound, Ask(node, 1, 0).Code);
    }

    [Fact]
    public void The_generation_is_told_with_the_first_progress()
    {
        NodeRig node = _rig.Join(1);
        _rig.Publish();
        node.Send(new Wait(1, HostRig.Shop, 0, 1, "MIN($ALL.applied)", 0, CountLeft: false));
        _rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(new WaitProgress(1, 0, 1, 1), node.Only<WaitProgress>());
    }

    /// <summary>Of two releases the host has the first, and has begun generation 2 with release 2 if it can tell.</summary>
    private NodeRig Restored(MarkFate mark)
    {
        _rig.Join(1);
        _rig.Publish();
        SimulatedDiskCopy copy = _rig.CopyDisk();
        _rig.Publish();
        _rig.Run(2 * HostRig.SecondNs);
        _rig.Restart(copy, mark);
        return _rig.Join(1);
    }

    private WaitResult Ask(NodeRig node, uint generation, ulong release)
    {
        uint call = ++_calls;
        node.Send(new Wait(call, HostRig.Shop, generation, release, "MIN($ALL.applied)", 1_000, CountLeft: false));
        _rig.Run(5 * HostRig.MillisecondNs);
        return node.All<WaitResult>().Single(w => w.Call == call);
    }
}
