using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Ripple.Mutants.Lists;
using Ripple.Mutants.Rewriting;
using Ripple.Mutants.Running;

namespace Ripple.Mutants.Building;

/// <summary>Builds the copy: the tests and the simulator, with all they use.</summary>
internal sealed partial class CopyBuilder(InstrumentedCopy copy, MutantList list)
{
    public const string Simulator = "Ripple.Simulation";
    private const string Filter = "Mutants.slnf";
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(30);

    /// <summary>The test projects that any room names.</summary>
    public static IEnumerable<string> TestProjects(MutantList list) => list.Rooms.SelectMany(r => r.Then.Prepend(r.Tests)).Distinct();

    /// <summary>
    /// Writes the copy, and builds it unless it is built already. What the sources have left behind is no part of it: such an entry is
    /// told, and waits for somebody to correct or to delete it.
    /// </summary>
    public void Ensure(Action<string> log)
    {
        do
        {
            copy.Write();
        }
        while (!TryEnsure(log));

        foreach ((Mutant mutant, string reason) in copy.Refused)
        {
            log($"left out: {mutant.Id} {reason}: {mutant.File}: {mutant.Line}");
        }
    }

    /// <summary>Builds what the copy says now.</summary>
    public ChildResult Build()
    {
        File.Delete(copy.StampPath);
        File.WriteAllText(Path.Combine(copy.Folder, Filter), FilterText());
        var build = new ChildProcess(
            "dotnet",
            [
                "build", Filter, "-c", "Release", "-nologo", "-clp:ErrorsOnly;NoSummary", "-nodeReuse:false",
                "-p:TreatWarningsAsErrors=false", "-p:RunAnalyzers=false", "-p:EnforceCodeStyleInBuild=false", "-p:WarningLevel=0",
            ],
            copy.Folder);
        build.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        ChildResult result = build.Run(Limit);
        if (result.ExitCode == 0)
        {
            File.WriteAllText(copy.StampPath, copy.Hash);
        }

        return result;
    }

    /// <summary>The mutants that the compiler refused, with what it said; the numbers of errors that are nobody's stand apart.</summary>
    public Dictionary<Mutant, string> Refused(string output, out List<string> others)
    {
        var refused = new Dictionary<Mutant, string>();
        others = [];
        foreach (Match match in CompilerError().Matches(output))
        {
            string file = Path.GetRelativePath(copy.Folder, match.Groups[1].Value).Replace('\\', '/');
            int line = int.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture) - 1;
            int? number = copy.Rewritten(file) is { } text ? FileRewriter.NumberAt(text, line) : null;
            if (number is null)
            {
                others.Add(match.Value);
            }
            else
            {
                refused.TryAdd(list.Mutants[number.Value - 1], match.Groups[3].Value);
            }
        }

        return refused;
    }

    /// <summary>True when the copy is built; false when mutants in it do not compile, which are now left out of the next.</summary>
    private bool TryEnsure(Action<string> log)
    {
        if (File.Exists(copy.StampPath) && File.ReadAllText(copy.StampPath) == copy.Hash)
        {
            log("the instrumented copy is built already");
            return true;
        }

        log($"building the instrumented copy in {copy.Folder}");
        ChildResult result = Build();
        if (result.ExitCode == 0)
        {
            log($"built in {result.Took.TotalSeconds:F0} s");
            return true;
        }

        Dictionary<Mutant, string> refused = Refused(result.Output, out List<string> others);
        if (refused.Count == 0)
        {
            throw new MutantException($"The instrumented copy does not build:\n{string.Join('\n', others)}\n{result.Output}");
        }

        foreach ((Mutant mutant, string reason) in refused)
        {
            copy.LeaveOut(mutant, reason);
        }

        return false;
    }

    private string FilterText() => JsonSerializer.Serialize(new
    {
        solution = new
        {
            path = "Ripple.sln",
            projects = TestProjects(list).Append(Simulator).Select(p => $"tests\\{p}\\{p}.csproj"),
        },
    });

    [GeneratedRegex(@"^\s*(/[^\n(]+|[A-Za-z]:[^\n(]+)\((\d+),\d+\): error (CS\d+: .+?)( \[[^\]\n]*\])?\r?$", RegexOptions.Multiline)]
    private static partial Regex CompilerError();
}
