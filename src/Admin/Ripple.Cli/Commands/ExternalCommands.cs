using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>external list</c>, <c>external set</c>, <c>external remove</c> and <c>report</c>.</summary>
internal static class ExternalCommands
{
    public static Command Make(CliScope scope, NameArguments names) =>
        new("external", "Defines what reports levels and is no process of Ripple's: a pipeline, a test bench.")
        {
            List(scope, names),
            Set(scope, names),
            Remove(scope, names),
        };

    public static Command Report(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var release = new Argument<ReleaseNumber>("RELEASE")
        {
            CustomParser = Parsed.Number,
            Description = "The release, such as 12, or with its generation, such as 2/12; all before it are reported with it",
        };
        var level = new Argument<string>("LEVEL") { Description = "The level, one of the application's own" };
        var external = new Option<string>("--as") { Description = "The external that reports", HelpName = "NAME", Required = true };
        var command = new Command(
            "report",
            "Reports a level for an external; takes a publisher of the application. Nodes report for themselves, by their library.")
        {
            application,
            release,
            level,
            external,
        };
        return scope.Run(command, async context =>
        {
            ReportedLevel reported = await context.Client.ReportAsync(
                context.Get(application),
                context.Get(external)!,
                context.Get(release),
                context.Get(level),
                context.Cancel).ConfigureAwait(false);
            context.Write(reported, AdminJson.Default.ReportedLevel, r => context.Line(
                $"{context.Get(external)} has {r.Level} of {r.Generation}/{r.Release}"));
            return ExitCodes.Done;
        });
    }

    private static Command List(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        return scope.Run(new Command("list", "Lists externals, and how far each has come.") { application }, async context =>
        {
            DefinitionsInfo definitions = await context.Client.GetDefinitionsAsync(
                context.Get(application), context.Cancel).ConfigureAwait(false);
            context.Write(definitions, AdminJson.Default.DefinitionsInfo, d =>
            {
                var table = new TextTable("NAME", "REPORTED", "IS");
                foreach (ExternalInfo external in d.Externals)
                {
                    string reported = string.Join(", ", external.Levels.Select(l => $"{l.Level} {l.Generation}/{l.Release}"));
                    table.Add(
                        external.Name,
                        reported.Length == 0 ? "-" : reported,
                        external.Description.Length == 0 ? "-" : external.Description);
                }

                table.Write(context.Console.Out);
            });
            return ExitCodes.Done;
        });
    }

    private static Command Set(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        Argument<string> name = Name();
        var description = new Argument<string>("IS")
        {
            Description = "What it is, for who reads it",
            DefaultValueFactory = _ => string.Empty,
        };
        Option<string?> note = DefinitionChange.Note();
        var command = new Command(
            "set", "Defines an external, or says anew what it is; takes an administrator of the application. There are at most 8.")
        {
            application,
            name,
            description,
            note,
        };
        return scope.Run(command, async context => DefinitionChange.Tell(
            context, $"external {context.Get(name)}", "set", await context.Client.SetExternalAsync(
            context.Get(application),
            context.Get(name),
            context.Get(description),
            context.Get(note) ?? string.Empty,
            context.Cancel).ConfigureAwait(false)));
    }

    private static Command Remove(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        Argument<string> name = Name();
        Option<string?> note = DefinitionChange.Note();
        var command = new Command("remove", "Takes an external away, with what it reported: waits go on without it.")
        {
            application,
            name,
            note,
        };
        return scope.Run(command, async context => DefinitionChange.Tell(
            context, $"external {context.Get(name)}", "removed", await context.Client.RemoveExternalAsync(
            context.Get(application), context.Get(name), context.Get(note) ?? string.Empty, context.Cancel).ConfigureAwait(false)));
    }

    private static Argument<string> Name() => new("NAME") { Description = "The external's name" };
}
