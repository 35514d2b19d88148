namespace Ripple.Trust;

/// <summary>The result of judging a certificate.</summary>
public enum TrustVerdict
{
    /// <summary>The authority issued it, for this use, for an identity of this cluster, and it is valid now.</summary>
    Trusted,

    /// <summary>It is not yet valid or has expired; everything else is right.</summary>
    OutOfTime,

    /// <summary>The authority did not issue it, or not for this use.</summary>
    WrongAuthority,

    /// <summary>Its identity cannot be read, belongs to another cluster, or is not of a kind allowed for this use.</summary>
    WrongIdentity,
}
