using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>predicate list</c>, <c>predicate set</c> and <c>predicate remove</c>.</summary>
internal static class PredicateCommands
{
    public static Command Make(CliScope scope, NameArguments names) =>
        new("predicate", "Gives predicates names, which a wait may say instead.")
        {
            List(scope, names),
            Set(scope, names),
            Remove(scope, names),
        };

    private static Command List(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        return scope.Run(new Command("list", "Lists the predicates of an application.") { application }, async context =>
        {
            DefinitionsInfo definitions = await context.Client.GetDefinitionsAsync(
                context.Get(application), context.Cancel).ConfigureAwait(false);
            context.Write(definitions, AdminJson.Default.DefinitionsInfo, d =>
            {
                var table = new TextTable("NAME", ">VERSION", "PREDICATE");
                foreach (PredicateInfo predicate in d.Predicates)
                {
                    table.Add(predicate.Name, Show.Number(predicate.Version), predicate.Text);
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
        var text = new Argument<string>("PREDICATE") { Description = "The predicate, such as 'KTH_MAX(2, $ALL.applied)'" };
        Option<string?> note = DefinitionChange.Note();
        var command = new Command(
            "set",
            "Gives a predicate a name, or a name another predicate; takes an administrator of the application. "
                + "Waits under way keep theirs.")
        {
            application,
            name,
            text,
            note,
        };
        return scope.Run(command, async context => DefinitionChange.Tell(
            context, $"predicate {context.Get(name)}", "set", await context.Client.SetPredicateAsync(
            context.Get(application),
            context.Get(name),
            context.Get(text),
            context.Get(note) ?? string.Empty,
            context.Cancel).ConfigureAwait(false)));
    }

    private static Command Remove(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        Argument<string> name = Name();
        Option<string?> note = DefinitionChange.Note();
        var command = new Command(
            "remove", "Takes the name of a predicate away; takes an administrator of the application. Waits under way keep theirs.")
        {
            application,
            name,
            note,
        };
        return scope.Run(command, async context => DefinitionChange.Tell(
            context, $"predicate {context.Get(name)}", "removed", await context.Client.RemovePredicateAsync(
            context.Get(application), context.Get(name), context.Get(note) ?? string.Empty, context.Cancel).ConfigureAwait(false)));
    }

    private static Argument<string> Name() =>
        new("NAME") { Description = "Its name: 1 to 64 of a-z 0-9 . _ -, beginning with a letter" };
}
