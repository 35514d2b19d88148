using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

CommandLine? line = CommandLine.Parse(args, out string error);
if (line is null)
{
    Console.Error.WriteLine(error);
    Console.Error.WriteLine(CommandLine.Usage);
    return 2;
}

IScenario scenario = line.ScenarioName == OverloadScenario.Name ? new OverloadScenario() : new ClusterScenario();
return new Runner(scenario, line, Console.Out, Console.Error).Run();
