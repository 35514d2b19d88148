using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Rings;

public sealed class RingRejectionTests
{
    public static TheoryData<ulong> Seeds => [.. Enumerable.Range(1, 30).Select(i => (ulong)i)];

    /// <summary>
    /// A member stops telling when it believes that the sender has it: a wrong belief shows as a rejection that never arrives.
    /// </summary>
    [Theory]
    [MemberData(nameof(Seeds))]
    public void No_rejection_is_lost_whatever_else_is(ulong seed)
    {
        var random = new DeterministicRandom(seed);
        double loss = 0.1 + (random.NextDouble() * 0.25);
        var net = new RingNet(3 + random.NextInt32(8), seed: seed)
        {
            IsLost = (_, _, _) => random.NextBool(loss),
            DelayNs = (_, _, _) => 20_000 + random.NextInt64(20_000_000),
        };
        RingRoundTests.SetAll(net, 7, 10);
        net.Install();
        int told = 0;
        for (int step = 0; step < 500; step++)
        {
            RingNet.Node node = net.Members[(uint)(1 + random.NextInt32(net.Members.Count))];
            node.Has.Rejections.Add(new RejectionRow(7, 1, (ulong)++told, $"no {told}"));
            node.Has.Set(7, 10, 10, (ulong)(step % 10));
            net.Leader.Ring.OnChanged();
            net.Run(random.NextInt64(40_000_000));
        }

        for (int second = 0; second < 600 && net.Sender.Rejections.Count < told; second++)
        {
            net.RunMs(1_000);
        }

        Assert.Equal(told, net.Sender.Rejections.Count);
    }
}
