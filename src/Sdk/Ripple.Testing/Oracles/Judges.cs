namespace Ripple.Testing.Oracles;

/// <summary>
/// What is judged besides the rules that always are. Profiles with a cluster judge all but those that make another run: they ask more, or
/// have windows of calm. A profile leaves out what does not hold in it: two contents of a number are what some seeds of <c>fork</c> make.
/// </summary>
[Flags]
internal enum Judges
{
    /// <summary>Only the rules that are always judged.</summary>
    None = 0,

    /// <summary>One release number of a generation has one content, over restores of the host's disk too.</summary>
    Content = 1,

    /// <summary>A publish that expects a release of a generation becomes the one after it, not after another one of its number.</summary>
    Expectations = 2,

    /// <summary>No node puts a release in effect that was superseded before the node began to decide on it.</summary>
    Superseded = 4,

    /// <summary>Waits are asked again when the connection was lost, and judged over restarts of the host.</summary>
    WaitsOverRestarts = 8,

    /// <summary>The run has calm windows, within which all nodes that are joined must come to the newest release.</summary>
    Progress = 16,

    /// <summary>The publisher asks for the status, and its rows must be recent.</summary>
    Staleness = 32,

    /// <summary>Progress in calm windows is judged for nodes, too, that must join again first.</summary>
    Rejoining = 64,

    /// <summary>A publish is one release of a generation, also if a restore of the host's disk lost the first one.</summary>
    Repeats = 128,

    /// <summary>Waits are asked without time, and must be answered at once.</summary>
    NoTime = 256,

    /// <summary>All of them.</summary>
    All = Content | Expectations | Superseded | WaitsOverRestarts | Progress | Staleness | Rejoining | Repeats | NoTime,
}
