using Ripple.Simulation.Runs;

namespace Ripple.Simulation.Scenarios;

/// <summary>The scenarios by the names of the command line.</summary>
internal static class ScenarioTable
{
    private static readonly SortedDictionary<string, Func<IScenario>> Makers = new(StringComparer.Ordinal)
    {
        [AdversaryScenario.Name] = () => new AdversaryScenario(),
        [AppsScenario.Name] = () => new AppsScenario(),
        [ClientsScenario.Name] = () => new ClientsScenario(),
        [ClockScenario.Name] = () => new ClockScenario(),
        [CostsScenario.Name] = () => new CostsScenario(),
        [DiskScenario.Name] = () => new DiskScenario(),
        [EventsScenario.Name] = () => new EventsScenario(),
        [ForkScenario.Name] = () => new ForkScenario(),
        [HostScenario.Name] = () => new HostScenario(),
        [HostedScenario.Name] = () => new HostedScenario(),
        [OverloadScenario.Name] = () => new OverloadScenario(),
        [PressureScenario.Name] = () => new PressureScenario(),
        [RestoreScenario.Name] = () => new RestoreScenario(),
        [SmallScenario.Name] = () => new SmallScenario(),
    };

    /// <summary>All names, in order.</summary>
    public static IReadOnlyCollection<string> Names => Makers.Keys;

    /// <summary>The scenario of a name; null when there is none.</summary>
    public static IScenario? Find(string name) => Makers.GetValueOrDefault(name)?.Invoke();
}
