namespace Ripple.Gms.Store;

/// <summary>Whether this host may be sure that no other leads. Any thread.</summary>
internal interface IHostLease
{
    /// <summary>
    /// True until the host's own deadline: the moment at which its newest lease was asked for, plus the lease, less a margin for clocks
    /// that run differently. False means that another host may lead, and not that it does.
    /// </summary>
    bool IsHeld { get; }
}

/// <summary>The lease of a host whose store no other can lead: it is in a file, under a lock of the machine.</summary>
internal sealed class SoleHost : IHostLease
{
    /// <summary>The one there is.</summary>
    public static SoleHost Instance { get; } = new();

    /// <inheritdoc/>
    public bool IsHeld => true;
}
