namespace Ripple.Trust;

/// <summary>What came of reading an identity.</summary>
public enum IdentityStatus
{
    /// <summary>It is an identity.</summary>
    Ok,

    /// <summary>The certificate has no URI name.</summary>
    Missing,

    /// <summary>The certificate has more than one URI name, or its names cannot be read.</summary>
    Ambiguous,

    /// <summary>The URI is not of the form <c>ripple://cluster/kind/...</c>, or something stands where nothing may.</summary>
    Malformed,

    /// <summary>The cluster is not 32 lower-case hexadecimal digits.</summary>
    BadCluster,

    /// <summary>The kind is not host, signer or node.</summary>
    UnknownKind,

    /// <summary>The host's or signer's name breaks the rule of names.</summary>
    BadName,

    /// <summary>The node id is not 32 lower-case hexadecimal digits.</summary>
    BadNodeId,

    /// <summary>The application breaks the rule of applications.</summary>
    BadApplication,

    /// <summary>The role is not node, publisher or admin.</summary>
    BadRole,

    /// <summary>The token id is not 16 lower-case hexadecimal digits.</summary>
    BadToken,
}
