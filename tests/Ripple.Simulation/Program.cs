using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

CommandLine? line = CommandLine.Parse(args, out string error);
if (line is null)
{
    Console.Error.WriteLine(error);
    Console.Error.WriteLine(CommandLine.Usage);
    return 2;
}

if (line.IsPlanted)
{
    return MutantsProgram.Plant(line);
}

return new Runner(ScenarioTable.Find(line.ScenarioName)!, line, Console.Out, Console.Error).Run();
