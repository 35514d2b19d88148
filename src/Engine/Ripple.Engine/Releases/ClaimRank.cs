namespace Ripple.Engine.Releases;

/// <summary>What speaks for a message that claims a release number, from least to most.</summary>
internal enum ClaimRank
{
    /// <summary>Nothing: anyone with the region's key may have made it.</summary>
    Unsigned,

    /// <summary>A signature that nobody has verified yet.</summary>
    Signed,

    /// <summary>The host said it over its own connection, or its signature is verified.</summary>
    Trusted,
}
