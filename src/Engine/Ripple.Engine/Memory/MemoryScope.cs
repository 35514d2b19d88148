namespace Ripple.Engine.Memory;

/// <summary>The entity that a line of a <see cref="MemoryBudget"/> applies to, once for each.</summary>
internal enum MemoryScope
{
    /// <summary>The process.</summary>
    Process,

    /// <summary>A hosted region.</summary>
    Region,

    /// <summary>A connection, which is a member of one region.</summary>
    Connection,

    /// <summary>An application.</summary>
    Application,
}
