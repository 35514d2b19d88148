namespace Ripple.Trust;

/// <summary>The result of reading an identity.</summary>
public enum IdentityStatus
{
    /// <summary>The identity was read.</summary>
    Ok,

    /// <summary>The certificate has no URI name.</summary>
    Missing,

    /// <summary>The certificate has more than one URI name, or its names cannot be read.</summary>
    Ambiguous,

    /// <summary>The URI does not have the form <c>ripple://cluster/kind/...</c>, or contains unexpected text.</summary>
    Malformed,

    /// <summary>The cluster is not 32 lower-case hexadecimal digits.</summary>
    BadCluster,

    /// <summary>The kind is not host, signer or node.</summary>
    UnknownKind,

    /// <summary>The host's or signer's name violates the rule for names.</summary>
    BadName,

    /// <summary>The node id is not 32 lower-case hexadecimal digits.</summary>
    BadNodeId,

    /// <summary>The application violates the rule for applications.</summary>
    BadApplication,

    /// <summary>The role is not node, publisher or admin.</summary>
    BadRole,

    /// <summary>The token id is not 16 lower-case hexadecimal digits.</summary>
    BadToken,
}
