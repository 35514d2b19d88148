namespace Ripple.Trust;

/// <summary>What came of judging a certificate.</summary>
public enum TrustVerdict
{
    /// <summary>The authority issued it, for this use, for an identity of this cluster, and it is valid now.</summary>
    Trusted,

    /// <summary>It is not valid yet, or not any more; everything else is right.</summary>
    OutOfTime,

    /// <summary>The authority did not issue it, or not for this use.</summary>
    WrongAuthority,

    /// <summary>Its identity cannot be read, is of another cluster, or is not of a kind for this use.</summary>
    WrongIdentity,
}
