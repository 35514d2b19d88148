using System.CommandLine;
using System.Globalization;
using Ripple.Engine.Memory;
using Ripple.Gms.Server;

namespace Ripple.Gms.Host.Commands;

/// <summary><c>--explain-memory</c>: prints the memory bounds of a host with these options without starting one.</summary>
internal sealed class ExplainMemory
{
    /// <summary>The option's name.</summary>
    public const string Name = "--explain-memory";

    private static readonly (MemoryKind Kind, string Text)[] Kinds =
    [
        (MemoryKind.Fixed, "fixed: taken at the start"),
        (MemoryKind.Retained, "retained: taken as first needed"),
        (MemoryKind.Transient, "transient: while somebody is slow, or a call is under way"),
    ];

    private readonly Option<bool> _explain =
        new(Name) { Description = "Print what the host may hold in memory, line by line, and its sum; start nothing" };

    private readonly Option<int> _regions = Count("--regions", 1, "The regions");

    private readonly Option<int> _connections = Count("--connections", 1_000, "The connections");

    private readonly Option<int> _applications = Count("--applications", 1, "The applications");

    /// <summary>The root command without a required data directory, which is not read here.</summary>
    public static RootCommand MakeRoot()
    {
        var run = new RunOptions();
        var explain = new ExplainMemory();
        var root = new RootCommand("Prints what a host may hold in memory.");
        root.Options.Add(new Option<string?>(CommonOptions.Data.Name) { Description = "Not looked at" });
        root.Options.Add(CommonOptions.StoreFile);
        root.Options.Add(CommonOptions.Sqlite);
        run.AddTo(root);
        explain.AddTo(root);
        root.SetAction(result =>
        {
            explain.Print(run.ReadWithout(result), result, Console.Out);
            return ExitCodes.Done;
        });
        return root;
    }

    public void AddTo(Command command)
    {
        command.Options.Add(_explain);
        command.Options.Add(_regions);
        command.Options.Add(_connections);
        command.Options.Add(_applications);
    }

    private static Option<int> Count(string name, int fallback, string what)
    {
        var option = new Option<int>(name)
        {
            Description = string.Create(CultureInfo.InvariantCulture, $"{what} that {Name} sums up for. Default {fallback}"),
            HelpName = "N",
            DefaultValueFactory = _ => fallback,
        };
        option.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int>() < 0)
            {
                result.AddError($"{name} is a count, from 0 on.");
            }
        });
        return option;
    }

    private void Print(GmsServerOptions options, ParseResult result, TextWriter output)
    {
        MemoryBudget budget = HostMemory.Of(options);
        foreach (MemoryLine line in budget.Lines)
        {
            string each = line.Scope == MemoryScope.Process ? "" : $" for each {line.Scope.ToString().ToLowerInvariant()}";
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{line.Name,-58} {line.Count,8:N0} x {line.BytesEach,13:N0} = {line.Bytes,15:N0} B  "
                    + $"{line.Kind.ToString().ToLowerInvariant()}{each}"));
        }

        int regions = result.GetValue(_regions);
        int connections = result.GetValue(_connections);
        int applications = result.GetValue(_applications);
        output.WriteLine();
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"Sum for {regions:N0} regions, {connections:N0} connections, {applications:N0} applications:"));
        long total = 0;
        foreach ((MemoryKind kind, string text) in Kinds)
        {
            long bytes = budget.BytesOf(kind, regions, connections, applications);
            total += bytes;
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{text,-58} {bytes,42:N0} B"));
        }

        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{"together, at most",-58} {total,42:N0} B"));
    }
}
