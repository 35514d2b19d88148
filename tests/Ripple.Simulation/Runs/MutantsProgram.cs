using System.Diagnostics;

namespace Ripple.Simulation.Runs;

/// <summary>
/// The program that breaks the product on purpose. It builds a copy of the sources with every written mutant in it, and runs this program's
/// counterpart there; the product itself has no bug that could be switched on.
/// </summary>
internal static class MutantsProgram
{
    private const string Name = "Ripple.Mutants";

    /// <summary>Plants what the command line says; returns the exit code.</summary>
    public static int Plant(CommandLine line)
    {
        List<string> arguments = ["exec", PathOf(AppContext.BaseDirectory), "--planted"];
        arguments.AddRange(line.PlantedName is { } name ? [name] : []);
        arguments.AddRange(line.IsJson ? ["--json"] : []);
        using Process process = Process.Start(new ProcessStartInfo("dotnet", arguments))!;
        process.WaitForExit();
        return process.ExitCode;
    }

    /// <summary>It lies beside: the same configuration and framework of another project of this folder.</summary>
    internal static string PathOf(string baseDirectory)
    {
        var framework = new DirectoryInfo(Path.TrimEndingDirectorySeparator(baseDirectory));
        DirectoryInfo configuration = framework.Parent!;
        DirectoryInfo tests = configuration.Parent!.Parent!.Parent!;
        return Path.Combine(tests.FullName, "mutants", "bin", configuration.Name, framework.Name, Name + ".dll");
    }
}
