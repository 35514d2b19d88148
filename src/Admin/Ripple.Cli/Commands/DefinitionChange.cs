using System.CommandLine;
using Ripple.Admin.Contracts;

namespace Ripple.Cli.Commands;

/// <summary>Shared by the commands that change what an application says about itself.</summary>
internal static class DefinitionChange
{
    /// <summary><c>--note</c>.</summary>
    public static Option<string?> Note() =>
        new("--note") { Description = "What changed and why; shown in the history", HelpName = "TEXT" };

    /// <summary>Says what was done, and which release of the definitions it is.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="what">What it defines, and its name.</param>
    /// <param name="did">What was done.</param>
    /// <param name="published">The release.</param>
    public static int Tell(CliContext context, string what, string did, PublishResult published)
    {
        context.Write(
            published, AdminJson.Default.PublishResult, p => context.Line($"{what} {did}: release {p.Release} of {p.Application}"));
        return ExitCodes.Done;
    }
}
