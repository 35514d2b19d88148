namespace Ripple.Engine.Streams;

/// <summary>
/// Rules that the simulator can make a stream's sender break, one at a time, to show that a checker detects it. Otherwise none.
/// </summary>
[Flags]
internal enum PlantedStreamBugs
{
    /// <summary>Every rule is kept.</summary>
    None = 0,

    /// <summary>Loss does not lower the rate.</summary>
    NeverSlow = 1 << 0,

    /// <summary>Every requested packet lowers the rate, although all losses of a round-trip are one event.</summary>
    SlowByEveryRequest = 1 << 1,
}
