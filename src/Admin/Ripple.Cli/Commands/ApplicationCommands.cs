using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>app list</c> and <c>app create</c>.</summary>
internal static class ApplicationCommands
{
    public static Command Make(CliScope scope) => new("app", "Lists and creates applications.") { List(scope), Create(scope) };

    private static Command List(CliScope scope) => scope.Run(new Command("list", "Lists the applications you may read."), async context =>
    {
        await context.WriteAsync(
            context.Client.ListApplicationsAsync(context.Cancel),
            AdminJson.Default.ApplicationInfo,
            new TextTable(">RELEASE", ">GENERATION", ">KEYS", ">NODES", "NAME"),
            a =>
            [
                Show.Number(a.Release),
                Show.Number(a.Generation),
                Show.Number(a.KeyCount),
                Show.Number(a.NodeCount),
                a.Name,
            ]).ConfigureAwait(false);
        return ExitCodes.Done;
    });

    private static Command Create(CliScope scope)
    {
        var name = new Argument<string>("APP") { Description = "Its name: 1 to 100 of a-z 0-9 . _ -, starting with a letter or digit" };
        return scope.Run(new Command("create", "Creates an application; takes an administrator of the cluster.") { name }, async context =>
        {
            ApplicationInfo created = await context.Client.CreateApplicationAsync(context.Get(name), context.Cancel).ConfigureAwait(false);
            context.Write(created, AdminJson.Default.ApplicationInfo, a => context.Line($"{a.Name} created"));
            return ExitCodes.Done;
        });
    }
}
