namespace Ripple.Admin.Following;

/// <summary>The level a node must have reached with a release to count.</summary>
public enum FollowLevel
{
    /// <summary>In effect at the node.</summary>
    Applied,

    /// <summary>On the node's disk.</summary>
    Persisted,

    /// <summary>Received by the node.</summary>
    Received,
}
