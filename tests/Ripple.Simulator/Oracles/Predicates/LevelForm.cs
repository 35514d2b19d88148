namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>How a level is written.</summary>
internal enum LevelForm
{
    /// <summary>Behind its set.</summary>
    Named,

    /// <summary>Alone, for all nodes.</summary>
    Bare,

    /// <summary>Not at all, for received.</summary>
    Unnamed,
}
