using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>level list</c> and <c>level set</c>.</summary>
internal static class LevelCommands
{
    public static Command Make(CliScope scope, NameArguments names) =>
        new("level", "Declares levels of an application's own, which its nodes report and predicates name.")
        {
            List(scope, names),
            Set(scope, names),
        };

    private static Command List(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        return scope.Run(new Command("list", "Lists the levels of an application's own.") { application }, async context =>
        {
            DefinitionsInfo definitions = await context.Client.GetDefinitionsAsync(
                context.Get(application), context.Cancel).ConfigureAwait(false);
            context.Write(definitions, AdminJson.Default.DefinitionsInfo, d =>
            {
                var table = new TextTable("NAME", "MEANS");
                foreach (LevelInfo level in d.Levels)
                {
                    table.Add(level.Name, level.Description.Length == 0 ? "-" : level.Description);
                }

                table.Write(context.Console.Out);
            });
            return ExitCodes.Done;
        });
    }

    private static Command Set(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var name = new Argument<string>("NAME") { Description = "Its name: 1 to 32 of a-z 0-9 _, beginning with a letter" };
        var means = new Argument<string>("MEANS")
        {
            Description = "What it means, for who reads it",
            DefaultValueFactory = _ => string.Empty,
        };
        Option<string?> note = DefinitionChange.Note();
        var command = new Command(
            "set",
            "Declares a level, or says anew what it means; takes an administrator of the application. A level is never taken away; there "
                + "are at most 8.")
        {
            application,
            name,
            means,
            note,
        };
        return scope.Run(command, async context => DefinitionChange.Tell(
            context, $"level {context.Get(name)}", "declared", await context.Client.SetLevelAsync(
                context.Get(application),
                context.Get(name),
                context.Get(means),
                context.Get(note) ?? string.Empty,
                context.Cancel).ConfigureAwait(false)));
    }
}
