namespace Ripple.Trust;

/// <summary>The roles a node certificate may carry. What each may do is decided by the host, per application.</summary>
public static class NodeRoles
{
    /// <summary>Takes releases, joins regions.</summary>
    public const string Node = "node";

    /// <summary>Publishes besides.</summary>
    public const string Publisher = "publisher";

    /// <summary>Administers besides.</summary>
    public const string Admin = "admin";

    /// <summary>True for the three above, in exactly that spelling.</summary>
    public static bool IsKnown(ReadOnlySpan<char> role) => role is Node or Publisher or Admin;
}
