using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>history</c> and <c>diff</c>.</summary>
internal static class HistoryCommands
{
    private const int CountMax = 1_000_000;

    public static Command History(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        Option<int> count = Count("releases");
        var before = new Option<ulong?>("--before")
        {
            CustomParser = Parsed.ReleaseOrNull,
            Description = "Only releases before this one",
            HelpName = "N",
        };
        var command = new Command("history", "Lists the releases of an application, newest first.") { application, count, before };
        return scope.Run(command, async context =>
        {
            await context.WriteAsync(
                context.Client.ListReleasesAsync(context.Get(application), context.Get(before), context.Cancel).Take(context.Get(count)),
                AdminJson.Default.ReleaseInfo,
                new TextTable(">RELEASE", "TIME", "ACTOR", "CHANGES", "NOTE"),
                r =>
                [
                    Show.Number(r.Release),
                    Show.Time(r.Time),
                    r.Actor,
                    Changes(r.Changes),
                    Show.FirstLine(r.Note),
                ]).ConfigureAwait(false);
            return ExitCodes.Done;
        });
    }

    public static Command Diff(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var from = new Argument<ulong>("FROM") { CustomParser = Parsed.Release, Description = "The release before; 0 is the empty state" };
        var to = new Argument<ulong?>("TO")
        {
            CustomParser = Parsed.ReleaseOrNull,
            Description = "The release after. Default: the newest",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var keysOnly = new Option<bool>("--keys") { Description = "Names the keys alone, without their values" };
        var command =
            new Command("diff", "Shows how the state at one release differs from that at another.") { application, from, to, keysOnly };
        return scope.Run(command, async context =>
        {
            string name = context.Get(application);
            Diff diff = await context.Client.DiffAsync(
                name, context.Get(from), context.Result.GetValue(to), context.Cancel).ConfigureAwait(false);
            if (context.IsJson)
            {
                JsonOutput.Write(context.Console.Out, diff, AdminJson.Default.Diff);
                return ExitCodes.Done;
            }

            context.Line(
                $"{name} from release {diff.From} to {diff.To}: "
                    + $"{(diff.Changes.Count == 0 ? "no difference" : Count(diff.Changes.Count, "key"))}");
            if (context.Get(keysOnly))
            {
                var table = new TextTable("CHANGE", "KEY");
                foreach (KeyChangeInfo change in diff.Changes)
                {
                    table.Add(Show.Kind(change.Kind), change.Key);
                }

                table.Write(context.Console.Out);
            }
            else
            {
                await ValueDiff.WriteAsync(
                    context,
                    diff.Changes,
                    key => PlanView.ReadAsync(context.Client, name, key, diff.From, context.Cancel),
                    key => PlanView.ReadAsync(context.Client, name, key, diff.To, context.Cancel)).ConfigureAwait(false);
            }

            return ExitCodes.Done;
        });
    }

    /// <summary><c>--count</c>.</summary>
    public static Option<int> Count(string what) => new("--count", "-n")
    {
        Description = $"How many {what}",
        HelpName = "N",
        CustomParser = Parsed.Count("--count", CountMax, what),
        DefaultValueFactory = _ => 50,
    };

    private static string Changes(IReadOnlyList<KeyChangeInfo> changes) => changes.Count switch
    {
        0 => "none",
        <= 2 => string.Join(", ", changes.Select(c => c.Kind == KeyChangeKind.Removed ? $"-{c.Key}" : c.Key)),
        _ => Count(changes.Count, "key"),
    };

    private static string Count(int count, string what) => count == 1 ? $"1 {what}" : $"{count} {what}s";
}
