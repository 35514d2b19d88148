namespace Ripple.Trust;

/// <summary>What came of verifying a release's signature.</summary>
public enum SignatureStatus
{
    /// <summary>A known signer of this cluster signed exactly this id.</summary>
    Verified,

    /// <summary>No certificate of that signer was added: ask a host for it.</summary>
    UnknownSigner,

    /// <summary>It is not that signer's signature over this id, or it is of another length than 64 bytes.</summary>
    Wrong,
}
