namespace Ripple.Simulator.Disks;

/// <summary>What befalls a group of requests to a simulated disk.</summary>
internal enum DiskFault
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>The store is locked by somebody else.</summary>
    Busy,

    /// <summary>The disk fails.</summary>
    Failed,

    /// <summary>The disk is full.</summary>
    Full,
}
