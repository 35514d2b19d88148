namespace Ripple.Simulator.Scripts;

/// <summary>What a run consists of, and can be run without.</summary>
internal enum RunItem
{
    /// <summary>A planned fault by its number in the plan, or another one by its name.</summary>
    Fault,

    /// <summary>A node by its number.</summary>
    Node,

    /// <summary>A turn of the publisher by its number.</summary>
    Publish,
}
