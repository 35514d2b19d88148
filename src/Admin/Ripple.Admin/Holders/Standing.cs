namespace Ripple.Admin.Holders;

/// <summary>How a node stands to a release.</summary>
internal enum Standing
{
    /// <summary>It has it, or a later one.</summary>
    Holding,

    /// <summary>It is on its way to it.</summary>
    Behind,

    /// <summary>It stays at an earlier one.</summary>
    Rejected,
}
