using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Values;
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
    private const long CatchUpDelayNs = 300 * NodeRig.MsNs;
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

        AssertAsked();
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

        AssertAsked();
    }

    [Fact]
    public void What_a_forgery_displaced_is_asked_for_until_a_host_confirms_that_nothing_is_missed()
    {
        _rig.ReceiveMessage(NodeRig.FirstSequence + 1, [1, 2, 3]);
        KeepAlive(1);
        AssertAsked();
        _rig.Host.Forget();
        // And not for as long as nothing else moves.
        KeepAlive(AloneSeconds);
        Assert.Empty(_rig.Host.All<CatchUpRequest>());
    }

    [Fact]
    public void A_confirmation_before_anything_was_asked_for_ends_nothing()
    {
        _chain.Next(("a", "2"));
        _rig.ReceiveMessage(NodeRig.FirstSequence + 1, _chain.Next(("a", "3")));
        // It was on its way when release 2 was committed.
        _rig.Confirm();
        _rig.Run(NodeRig.SecondNs);

        AssertAsked();
    }

    [Fact]
    public void Progress_ends_a_long_delay()
    {
        Tell(40);
        _rig.Run(15 * NodeRig.SecondNs / 10);
        for (int i = 0; i < 3; i++)
        {
            // The host answers heartbeats, and nothing else.
            _rig.Refute();
            _rig.Run(3 * NodeRig.SecondNs);
        }

        _rig.Host.Forget();
        _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(("a", "2"))));
        _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, 2));
        Tell(40);
        _rig.Run(CatchUpDelayNs);

        // The answer came, and more is known.
        Assert.Equal(2UL, Assert.Single(_rig.Host.All<CatchUpRequest>()).Release);
    }

    [Fact]
    public void While_an_answer_comes_in_nothing_more_is_asked_for()
    {
        Tell(40);
        _rig.Run(CatchUpDelayNs);
        Assert.Single(_rig.Host.All<CatchUpRequest>());
        _rig.Host.Forget();
        for (int i = 0; i < 5; i++)
        {
            _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(("a", $"{i}"))));
            _rig.Run(CatchUpDelayNs / 2);
        }

        Assert.Empty(_rig.Host.All<CatchUpRequest>());
    }

    [Fact]
    public void What_is_only_short_of_values_is_not_asked_for_again()
    {
        byte[] second = _chain.Next(isSigned: true, inlineBytesMax: 0, ("a", "two"));
        _rig.ReceiveMessage(NodeRig.FirstSequence + 1, second);
        Assert.Single(_rig.Host.All<BodyRequest>());
        _rig.Send(new StateVector([new TopicState(NodeRig.Application, NodeRig.Topic, 1, 1, 2, _rig.Replica.Head.Id)]));
        _rig.Run(2 * CatchUpDelayNs);

        Assert.Equal(1UL, _rig.Replica.Received.Keys.Release);
        Assert.Empty(_rig.Host.All<CatchUpRequest>());
    }

    private void Tell(ulong release) =>
        _rig.Send(
            new StateVector([new TopicState(NodeRig.Application, NodeRig.Topic, 1, 1, release, Headers.RandomDigest(new Random(1)))]));

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
