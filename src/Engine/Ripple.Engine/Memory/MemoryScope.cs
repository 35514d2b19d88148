namespace Ripple.Engine.Memory;

/// <summary>What there is one of for each line of a <see cref="MemoryBudget"/>.</summary>
internal enum MemoryScope
{
    /// <summary>The process.</summary>
    Process,

    /// <summary>A region that is hosted.</summary>
    Region,

    /// <summary>A connection, which is a member of one region.</summary>
    Connection,

    /// <summary>An application.</summary>
    Application,
}
