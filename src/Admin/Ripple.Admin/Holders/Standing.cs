namespace Ripple.Admin.Holders;

/// <summary>A node's standing with respect to a release.</summary>
internal enum Standing
{
    /// <summary>The node has it or a later one.</summary>
    Holding,

    /// <summary>The node has not reached it yet.</summary>
    Behind,

    /// <summary>The node rejected it and remains at an earlier one.</summary>
    Rejected,
}
