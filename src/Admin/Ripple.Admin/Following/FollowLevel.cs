namespace Ripple.Admin.Following;

/// <summary>How far a release must be at a node to count.</summary>
public enum FollowLevel
{
    /// <summary>In effect there.</summary>
    Applied,

    /// <summary>On its disk.</summary>
    Persisted,

    /// <summary>Received.</summary>
    Received,
}
