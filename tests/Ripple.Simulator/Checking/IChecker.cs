namespace Ripple.Simulator.Checking;

/// <summary>Checks one invariant while a simulated world runs.</summary>
internal interface IChecker
{
    /// <summary>The checker's name in messages and in the list of mutants.</summary>
    string Name { get; }

    /// <summary>
    /// Called after every turn of every machine, or of the one it was added for, on the simulation's thread. Throws
    /// <see cref="InvariantViolationException"/> (through <c>SimulatedWorld.Fail</c>) if the invariant does not hold.
    /// </summary>
    void OnStep(long nowNs);
}
