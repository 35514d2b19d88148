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

    [Fact]
    public void A_mapped_address_is_the_same_as_its_IPv4_form()
    {
        var mapped = NodeAddress.From(IPEndPoint.Parse("[::ffff:10.1.2.3]:5"));
        Assert.Equal(NodeAddress.FromIPv4(0x0A010203, 5), mapped);
        Assert.Equal("none", default(NodeAddress).ToString());
    }
}
