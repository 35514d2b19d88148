namespace Ripple.Simulator.Oracles.Costs;

/// <summary>The one thing that goes wrong in a run whose costs are judged.</summary>
internal enum CostEvent
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>A node's process ends, and starts again after some seconds.</summary>
    NodeCrash,

    /// <summary>The host's process ends, and starts again after some seconds.</summary>
    HostCrash,

    /// <summary>One datagram of a hundred is lost.</summary>
    Loss,
}
