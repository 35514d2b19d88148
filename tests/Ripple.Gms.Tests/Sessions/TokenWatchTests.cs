namespace Ripple.Gms.Tests.Sessions;

/// <summary>Whose connection ends with its token.</summary>
public sealed class TokenWatchTests
{
    [Theory]
    [InlineData(HostRig.RevokedToken)]
    [InlineData(HostRig.ExpiredToken)]
    [InlineData("nobody's")]
    public void Who_connects_with_a_token_that_is_not_good_is_closed_without_a_word_of_its_own(string tokenId)
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1);
        // Whoever let it in may have read the tokens before the last change; nothing changes from here on.
        rig.RunAlive(HostRig.SecondNs, stays);
        NodeRig late = rig.Connect(2, tokenId: tokenId);
        rig.RunAlive(HostRig.SecondNs, stays);
        Assert.Equal($"its token {tokenId} is revoked, expired, or no longer good for what it takes", late.ClosedReason);
        Assert.Null(stays.ClosedReason);
    }
}
