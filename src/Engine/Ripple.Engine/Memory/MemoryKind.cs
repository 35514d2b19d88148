namespace Ripple.Engine.Memory;

/// <summary>When the memory of a line of a <see cref="MemoryBudget"/> is taken, and for how long.</summary>
internal enum MemoryKind
{
    /// <summary>When its owner is made, and until its end.</summary>
    Fixed,

    /// <summary>As it is first needed, and kept from then on.</summary>
    Retained,

    /// <summary>While somebody is slow or a call is under way, and then given back.</summary>
    Transient,
}
