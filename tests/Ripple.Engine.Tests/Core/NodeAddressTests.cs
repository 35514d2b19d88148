using System.Net;
using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

public sealed class NodeAddressTests
{
    [Theory]
    [InlineData("10.1.2.3:7400")]
    [InlineData("[2001:db8::1]:65535")]
    [InlineData("[::1]:1")]
    public void An_end_point_survives(string text)
    {
        IPEndPoint endPoint = IPEndPoint.Parse(text);
        var address = NodeAddress.From(endPoint);
        Assert.Equal(endPoint, address.ToEndPoint());
        Assert.Equal(text, address.ToString());
        Assert.False(address.IsNone);
    }

    [Theory]
    [InlineData("10.1.2.3:7400", true)]
    [InlineData("223.255.255.255:1", true)]
    [InlineData("[2001:db8::1]:65535", true)]
    [InlineData("[fe80::1]:7", true)]
    [InlineData("[::1]:1", true)]
    [InlineData("10.1.2.3:0", false)]
    [InlineData("[2001:db8::1]:0", false)]
    [InlineData("0.0.0.0:7", false)]
    [InlineData("[::]:7", false)]
    [InlineData("224.0.0.0:7", false)]
    [InlineData("239.77.1.1:7", false)]
    [InlineData("255.255.255.255:7", false)]
    [InlineData("[ff02::1]:7", false)]
    public void What_no_single_machine_has_is_nothing_to_send_to(string text, bool isSendable) =>
        Assert.Equal(isSendable, NodeAddress.From(IPEndPoint.Parse(text)).IsSendable);

    [Fact]
    public void No_address_is_nothing_to_send_to() => Assert.False(default(NodeAddress).IsSendable);

    [Fact]
    public void A_mapped_address_is_the_same_as_its_IPv4_form()
    {
        var mapped = NodeAddress.From(IPEndPoint.Parse("[::ffff:10.1.2.3]:5"));
        Assert.Equal(NodeAddress.FromIPv4(0x0A010203, 5), mapped);
        Assert.Equal("none", default(NodeAddress).ToString());
    }
}
