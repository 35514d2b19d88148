using System.CommandLine;
using System.Text.Json;
using Ripple.Admin.Contracts;

namespace Ripple.Cli.Commands;

/// <summary><c>monitor</c>.</summary>
internal static class MonitorCommand
{
    public static Command Make(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var predicate = new Argument<string>("PREDICATE")
        {
            Description = $"What to follow, or the name of a predicate. Default {WaitOptions.Everywhere}: in effect everywhere",
            DefaultValueFactory = _ => WaitOptions.Everywhere,
        };
        var count = new Option<int?>("--count", "-n") { Description = "Ends after so many points. Default: it goes on until you end it" };
        var until = new Option<ulong?>("--until") { Description = "Ends when this release has been reached", HelpName = "RELEASE" };
        var command = new Command(
            "monitor",
            "Follows a predicate: a line for the newest release for which it holds, now and whenever that changes, over the nodes of the "
                + "moment. JSON is a line a point.")
        {
            application,
            predicate,
            count,
            until,
        };
        return scope.Run(command, async context =>
        {
            int left = context.Get(count) ?? int.MaxValue;
            ulong goal = context.Get(until) ?? ulong.MaxValue;
            if (left <= 0)
            {
                throw new CliException("--count takes 1 or more points.");
            }

            await foreach (MonitorPoint point in context.Client.MonitorAsync(
                context.Get(application), context.Get(predicate), context.Cancel).ConfigureAwait(false))
            {
                // A line each, also as JSON: whoever reads them reads while it goes on.
                context.Line(context.IsJson ? JsonSerializer.Serialize(point, AdminJson.Default.MonitorPoint) : Text(point));
                await context.Console.Out.FlushAsync(context.Cancel).ConfigureAwait(false);
                if (--left == 0 || point.Release >= goal)
                {
                    break;
                }
            }

            return ExitCodes.Done;
        });
    }

    private static string Text(MonitorPoint point) =>
        $"release {point.Release}, generation {point.Generation}"
        + (point.Version == 0 ? string.Empty : $", predicate of version {point.Version}")
        + (point.Problem is null ? string.Empty : $": {point.Problem}");
}
