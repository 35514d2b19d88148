namespace Ripple.Trust;

/// <summary>The result of verifying a release's signature.</summary>
public enum SignatureStatus
{
    /// <summary>A known signer of this cluster signed exactly this id.</summary>
    Verified,

    /// <summary>No certificate of that signer has been added: request it from a host.</summary>
    UnknownSigner,

    /// <summary>It is not that signer's signature of this id, or is not 64 bytes long.</summary>
    Wrong,
}
