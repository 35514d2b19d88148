using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>audit</c>.</summary>
internal static class AuditCommand
{
    public static Command Make(CliScope scope, NameArguments names)
    {
        Option<string?> application = names.ApplicationOption("--application", "Only of this application");
        Option<int> count = HistoryCommands.Count("entries");
        return scope.Run(new Command("audit", "Shows who did what, newest first.") { application, count }, async context =>
        {
            await context.WriteAsync(
                context.Client.ListAuditAsync(context.Get(application), context.Cancel).Take(context.Get(count)),
                AdminJson.Default.AuditInfo,
                new TextTable("TIME", "ACTOR", "ACTION", "APPLICATION", ">RELEASE", "DETAIL"),
                a =>
                [
                    Show.Time(a.Time),
                    a.Actor,
                    a.Action,
                    a.Application ?? "-",
                    a.Release is { } release ? Show.Number(release) : "-",
                    Show.FirstLine(a.Detail),
                ]).ConfigureAwait(false);
            return ExitCodes.Done;
        });
    }
}
