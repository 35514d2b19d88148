namespace Ripple.Trust;

/// <summary>The roles a node certificate may carry. The host decides, per application, what each role may do.</summary>
public static class NodeRoles
{
    /// <summary>Receives releases and joins regions.</summary>
    public const string Node = "node";

    /// <summary>May also publish.</summary>
    public const string Publisher = "publisher";

    /// <summary>May also administer.</summary>
    public const string Admin = "admin";

    /// <summary>Whether the text is one of the three roles, spelled exactly as above.</summary>
    public static bool IsKnown(ReadOnlySpan<char> role) => role is Node or Publisher or Admin;
}
