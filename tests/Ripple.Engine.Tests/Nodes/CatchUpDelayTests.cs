using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>
/// What a node that missed nothing asked for because of a forgery, a host does not answer. The delays that grew meanwhile must not hold up
/// what is missed afterwards.
/// </summary>
public sealed class CatchUpDelayTests : IDisposable
{
    private const int AloneSeconds = 20;
    private const int LongestSeconds = 8;
    private readonly ReleaseChain _chain = new();
    private readonly NodeRig _rig = new NodeRig().Join();

    public CatchUpDelayTests()
    {
        _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(("a", "1"))));
        _rig.ReceiveMessage(NodeRig.FirstSequence, [1, 2, 3]);
        KeepAlive(AloneSeconds);
        Assert.NotEmpty(_rig.Host.All<CatchUpRequest>());
        _rig.Host.Forget();
    }

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void What_is_missed_later_is_asked_for_without_delay()
    {
        _chain.Next(("a", "2"));
        _rig.ReceiveMessage(NodeRig.FirstSequence + 1, _chain.Next(("a", "3")));
        KeepAlive(1);

        KnownFault.Expect("clients, seed 95", AssertAsked);
    }

    [Fact]
    public void A_part_of_what_is_missed_does_not_put_off_the_rest()
    {
        byte[] second = _chain.Next(("a", "2"));
        _chain.Next(("a", "3"));
        _rig.ReceiveMessage(NodeRig.FirstSequence + 1, _chain.Next(("a", "4")));
        _rig.ReceiveMessage(NodeRig.FirstSequence + 2, second);
        Assert.Equal(2UL, _rig.Replica.Received.Keys.Release);
        // Longer than any delay.
        KeepAlive(LongestSeconds + 1);

        KnownFault.Expect("clients, seed 95", AssertAsked);
    }

    private void AssertAsked() => Assert.NotEmpty(_rig.Host.All<CatchUpRequest>());

    /// <summary>Lets seconds go by in which the host answers heartbeats.</summary>
    private void KeepAlive(int seconds)
    {
        for (int i = 0; i < seconds; i++)
        {
            _rig.Run(NodeRig.SecondNs);
            _rig.Confirm();
        }
    }
}
