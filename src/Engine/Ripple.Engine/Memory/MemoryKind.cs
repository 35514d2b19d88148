namespace Ripple.Engine.Memory;

/// <summary>When the memory of a line of a <see cref="MemoryBudget"/> is allocated, and for how long.</summary>
internal enum MemoryKind
{
    /// <summary>When its owner is created, for the owner's lifetime.</summary>
    Fixed,

    /// <summary>When first needed, and kept from then on.</summary>
    Retained,

    /// <summary>While a peer is slow or a call is in progress, then released.</summary>
    Transient,
}
