using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>space set</c> and <c>space show</c>.</summary>
internal static class SpaceCommands
{
    public static Command Make(CliScope scope, NameArguments names) =>
        new("space", "Sets and shows the attributes by which events of an application find their subscribers.")
        {
            Set(scope, names),
            Show(scope, names),
        };

    private static Command Set(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var dimensions = new Argument<string[]>("DIMENSION")
        {
            Description = "A dimension: NAME:KIND:FROM..TO:UNIT, such as price:real:0..1000:USD; the kind is real, integer or time",
            Arity = ArgumentArity.OneOrMore,
        };
        var note = new Option<string?>("--note") { Description = "What changed and why; shown in the history", HelpName = "TEXT" };
        var command = new Command(
            "set",
            "Sets the space of an application's events, of 1 to 16 dimensions; takes an administrator of the application. "
                + "Subscriptions that do not fit in it end.")
        {
            application,
            dimensions,
            note,
        };
        return scope.Run(command, async context =>
        {
            PublishResult published = await context.Client.SetSpaceAsync(
                context.Get(application),
                string.Join(' ', context.Get(dimensions)),
                context.Get(note) ?? string.Empty,
                context.Cancel).ConfigureAwait(false);
            context.Write(
                published, AdminJson.Default.PublishResult, p => context.Line($"space set: release {p.Release} of {p.Application}"));
            return ExitCodes.Done;
        });
    }

    private static Command Show(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var explain = new Option<string[]>("--explain")
        {
            Description = "Tells who would get an event with these values; a dimension that is not given is open",
            HelpName = "NAME=VALUE",
            AllowMultipleArgumentsPerToken = true,
        };
        var command = new Command("show", "Shows the space of an application's events, or who would get one.") { application, explain };
        return scope.Run(command, async context =>
        {
            string[] values = context.Get(explain) ?? [];
            if (values.Length > 0)
            {
                SpaceSubscribers found = await context.Client.ExplainSpaceAsync(
                    context.Get(application), EventCommands.Point(values), context.Cancel).ConfigureAwait(false);
                context.Write(found, AdminJson.Default.SpaceSubscribers, f => Write(context, f));
                return ExitCodes.Done;
            }

            DefinitionsInfo definitions = await context.Client.GetDefinitionsAsync(
                context.Get(application), context.Cancel).ConfigureAwait(false);
            if (definitions.Space is not { } space)
            {
                throw new CliException(
                    $"'{definitions.Application}' has no space for events. "
                        + $"Set one: ripple space set {definitions.Application} price:real:0..1000");
            }

            context.Write(space, AdminJson.Default.SpaceInfo, s =>
            {
                foreach (string dimension in s.Text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
                {
                    context.Line(dimension);
                }
            });
            return ExitCodes.Done;
        });
    }

    private static void Write(CliContext context, SpaceSubscribers found)
    {
        var table = new TextTable("SUBSCRIBER", ">SUBSCRIPTION", "CONNECTED", ">WAITING", "BLOCKS", "WHERE");
        foreach (SpaceSubscription subscription in found.Subscriptions)
        {
            table.Add(
                subscription.Subscriber,
                Output.Show.Number(subscription.Subscription),
                subscription.IsConnected ? "yes" : "no",
                Output.Show.Number((ulong)subscription.WaitingCount),
                subscription.Blocks ? "yes" : "no",
                subscription.Where.Count == 0 ? "everything" : string.Join(' ', subscription.Where));
        }

        table.Write(context.Console.Out);
        if (found.Count > found.Subscriptions.Count)
        {
            context.Line($"and {found.Count - found.Subscriptions.Count} more");
        }
    }
}
