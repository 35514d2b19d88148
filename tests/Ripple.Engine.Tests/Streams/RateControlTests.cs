using Ripple.Engine.Core;
using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

/// <summary>What members report lost, and what it does to the rate.</summary>
public sealed class RateControlTests
{
    private const int PacketBytes = 1_000;
    private const long PacketNs = 100_000;
    private static readonly NodeAddress Lossy = NodeAddress.FromIPv4(0x0A000001, 1);
    private static readonly NodeAddress Late = NodeAddress.FromIPv4(0x0A000002, 1);
    private readonly RateControl _rate = new(new StreamOptions()) { MemberCount = 2 };
    private long _nowNs;
    private ulong _sent;

    [Fact]
    public void A_loss_from_before_a_cut_does_not_count_again_whoever_reports_it()
    {
        while (_rate.Cuts == 0)
        {
            Assert.InRange(_sent, 0UL, 100_000UL);
            Send();
            if (_sent % 8 == 0)
            {
                Assert.True(_rate.OnLost(Lossy, _sent));
            }
        }

        // The round was judged before its next packet was sent.
        Assert.False(_rate.OnLost(Late, _sent - 1));
        Assert.True(_rate.OnLost(Late, _sent));
    }

    [Fact]
    public void What_was_not_sent_is_not_lost_and_what_was_reported_is_not_new()
    {
        Send();
        Assert.False(_rate.OnLost(Late, 2));
        Assert.True(_rate.OnLost(Late, 1));
        Assert.False(_rate.OnLost(Late, 1));
    }

    private void Send()
    {
        _rate.OnSent(PacketBytes, _nowNs);
        _nowNs += PacketNs;
        _sent++;
    }
}
