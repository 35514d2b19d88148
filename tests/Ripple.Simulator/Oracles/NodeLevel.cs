namespace Ripple.Simulator.Oracles;

/// <summary>How far a node has brought a release.</summary>
internal enum NodeLevel
{
    /// <summary>Its values are all there.</summary>
    Received,

    /// <summary>It is on the node's disk.</summary>
    Persisted,

    /// <summary>It is in effect.</summary>
    Applied,
}
