namespace Ripple.Simulation.Runs;

/// <summary>A switch that breaks one rule.</summary>
/// <param name="Name">Its name on the command line.</param>
/// <param name="Checker">The name of the checker that must find it.</param>
internal sealed record PlantedBug(string Name, string Checker);
