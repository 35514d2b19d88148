using System.CommandLine;
using Ripple.Cli.Completion;

namespace Ripple.Cli.Commands;

/// <summary><c>completion</c>.</summary>
internal static class CompletionCommand
{
    public static Command Make(CliScope scope)
    {
        var shell = new Argument<string>("SHELL") { Description = "bash, zsh or pwsh" };
        shell.AcceptOnlyFromAmong("bash", "zsh", "pwsh");
        var command = new Command("completion", "Prints a script that makes a shell complete this program's commands, "
            + "options, applications and keys.") { shell };
        return scope.Run(command, context =>
        {
            context.Console.Out.Write(CompletionScripts.Of(context.Get(shell)));
            return Task.FromResult(ExitCodes.Done);
        });
    }
}
