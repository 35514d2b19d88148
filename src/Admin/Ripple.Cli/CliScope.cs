using System.CommandLine;
using Ripple.Cli.Commands;
using Ripple.Cli.Output;

namespace Ripple.Cli;

/// <summary>State shared by all commands of one run.</summary>
internal sealed class CliScope
{
    public CliScope(CliConsole console)
    {
        Console = console;
        Format.CompletionSources.Clear();
        Format.CompletionSources.Add("text", "json");
    }

    /// <summary>The console the commands use.</summary>
    public CliConsole Console { get; }

    /// <summary><c>--connection</c>, on every command.</summary>
    public Option<string?> Connection { get; } = new("--connection", "-c")
    {
        Description = "A connection file, or a connection string (which others on this machine may see in the list of processes). Default: "
            + "RIPPLE_CONNECTION, RIPPLE_CONNECTION_FILE, then what 'connect' saved",
        HelpName = "FILE|STRING",
        Recursive = true,
    };

    /// <summary><c>--output</c>, on every command.</summary>
    public Option<OutputFormat> Format { get; } = new("--output", "-o")
    {
        Description =
            "How to tell it, text by default. json is one document on standard output; a failure is a problem document on standard error",
        HelpName = "text|json",
        Recursive = true,
        CustomParser = Parsed.Format,
        DefaultValueFactory = _ => OutputFormat.Text,
    };

    /// <summary>Sets the action of a command.</summary>
    public Command Run(Command command, Func<CliContext, Task<int>> work)
    {
        command.SetAction(async (result, cancellationToken) =>
        {
            using var context = new CliContext(this, result, cancellationToken);
            return await work(context).ConfigureAwait(false);
        });
        return command;
    }
}
