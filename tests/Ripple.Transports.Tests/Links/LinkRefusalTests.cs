using System.Text;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Transports.Tests.Links;

/// <summary>Why a link ends, on the wire.</summary>
public sealed class LinkRefusalTests
{
    private static readonly HostEndpoint Leader = new("fd00::1", 7400);

    [Fact]
    public void The_leader_comes_back_and_who_does_not_know_of_it_reads_it_as_text()
    {
        var refusal = new LinkRefusal(LinkRefusalCode.NotLeader, "not the leader: one at [fd00::1]:7400", Leader);
        byte[] body = refusal.ToBytes();
        Assert.True(LinkRefusal.TryRead(body, out LinkRefusal read));
        Assert.Equal(refusal, read);
        Assert.Equal(6, body[0]);
        Assert.Equal("not the leader: one at [fd00::1]:7400\u001F[fd00::1]:7400", Encoding.UTF8.GetString(body.AsSpan(1)));
    }

    [Fact]
    public void A_long_text_is_cut_and_not_the_leader()
    {
        byte[] body = new LinkRefusal(LinkRefusalCode.NotLeader, new string('x', 600), Leader).ToBytes();
        Assert.Equal(1 + LinkRefusal.TextBytesMax, body.Length);
        Assert.True(LinkRefusal.TryRead(body, out LinkRefusal read));
        Assert.Equal(Leader, read.Leader);
    }

    [Theory]
    [InlineData("text\u001F")]
    [InlineData("text\u001Fnonsense")]
    [InlineData("text\u001Fhost:0")]
    [InlineData("te\nxt")]
    public void What_is_no_endpoint_is_text_without_control_characters(string text)
    {
        byte[] body = [(byte)LinkRefusalCode.Busy, .. Encoding.UTF8.GetBytes(text)];
        Assert.True(LinkRefusal.TryRead(body, out LinkRefusal read));
        Assert.Null(read.Leader);
        Assert.DoesNotContain(read.Text, char.IsControl);
        Assert.Equal(text.Length, read.Text.Length);
    }
}
