using Ripple.Engine.Core;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>
/// A node whose core has not read all that came: what may be among it is not asked for, since that would be more work for who is late
/// already. Not for ever: what is lost has to be asked for.
/// </summary>
public sealed class CatchUpUnderLoadTests : IDisposable
{
    private const int LongestSeconds = 8;
    private readonly ReleaseChain _chain = new();
    private readonly Unread _unread = new();
    private readonly NodeRig _rig = new NodeRig().Join();

    public CatchUpUnderLoadTests()
    {
        _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(("a", "1"))));
        _rig.Run(NodeRig.MsNs);
        _rig.Core.Add(_unread);
        _rig.Run(NodeRig.MsNs);
    }

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void What_may_wait_unread_is_asked_for_when_it_was_read_and_was_not_among_it()
    {
        Miss();
        KeepAlive(LongestSeconds / 2);
        Assert.Empty(_rig.Host.All<CatchUpRequest>());

        _unread.HasData = false;
        KeepAlive(1);

        Assert.Single(_rig.Host.All<CatchUpRequest>());
    }

    [Fact]
    public void What_may_wait_unread_is_asked_for_after_eight_seconds()
    {
        Miss();
        KeepAlive(LongestSeconds - 1);
        Assert.Empty(_rig.Host.All<CatchUpRequest>());

        KeepAlive(2);

        Assert.Single(_rig.Host.All<CatchUpRequest>());
    }

    [Fact]
    public void An_answer_that_knows_of_more_is_left_to_the_stream_three_times()
    {
        for (int i = 0; i < 3; i++)
        {
            _rig.Run(NodeRig.SecondNs);
            _rig.Refute();
            Assert.Empty(_rig.Host.All<StateVectorRequest>());
        }

        _rig.Run(NodeRig.SecondNs);
        _rig.Refute();

        Assert.Single(_rig.Host.All<StateVectorRequest>());
    }

    [Fact]
    public void An_answer_that_knows_of_more_is_left_to_nothing_where_all_was_read()
    {
        _unread.HasData = false;
        _rig.Run(NodeRig.SecondNs);
        _rig.Refute();

        Assert.Single(_rig.Host.All<StateVectorRequest>());
    }

    /// <summary>The release before this one never comes.</summary>
    private void Miss()
    {
        _chain.Next(("a", "2"));
        _rig.ReceiveMessage(NodeRig.FirstSequence, _chain.Next(("a", "3")));
    }

    private void KeepAlive(int seconds)
    {
        for (int i = 0; i < seconds; i++)
        {
            _rig.Run(NodeRig.SecondNs);
            _rig.Confirm();
        }
    }

    /// <summary>A socket that was not read to its end.</summary>
    private sealed class Unread : IIoSource
    {
        public bool HasData { get; set; } = true;

        public bool HasWaiting(PortLane lane) => lane == PortLane.Data && HasData;

        public int Drain(IoQueue queue, int packetsMax) => 0;
    }
}
