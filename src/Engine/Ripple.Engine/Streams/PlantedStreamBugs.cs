namespace Ripple.Engine.Streams;

/// <summary>
/// Rules that the simulator can have a stream's sender break, one at a time, to show that a checker finds it. A sender has none.
/// </summary>
[Flags]
internal enum PlantedStreamBugs
{
    /// <summary>Every rule is kept.</summary>
    None = 0,

    /// <summary>Loss does not lower the rate.</summary>
    NeverSlow = 1 << 0,

    /// <summary>Every packet asked for lowers the rate, though a round-trip is one event.</summary>
    SlowByEveryRequest = 1 << 1,
}
