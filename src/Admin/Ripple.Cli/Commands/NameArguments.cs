using System.CommandLine;
using System.CommandLine.Completions;
using Ripple.Cli.Completion;

namespace Ripple.Cli.Commands;

/// <summary>Arguments that name what the cluster has, and complete to it.</summary>
internal sealed class NameArguments(CliScope scope)
{
    private readonly NameCompleter _completer = new(scope);

    /// <summary>An application.</summary>
    public Argument<string> Application()
    {
        var argument = new Argument<string>("APP") { Description = "The application" };
        // Asked for all arguments of a command, wherever the word stands.
        argument.CompletionSources.Add(context => Before(context, argument) is null ? _completer.Applications(context) : []);
        return argument;
    }

    /// <summary>An application, as an option.</summary>
    public Option<string?> ApplicationOption(string name, string description)
    {
        var option = new Option<string?>(name, "-a") { Description = description, HelpName = "APP" };
        option.CompletionSources.Add(_completer.Applications);
        return option;
    }

    /// <summary>Completes to the keys of the application that another argument names.</summary>
    public Func<CompletionContext, IEnumerable<CompletionItem>> KeysOf(Argument<string> application, string suffix = "") =>
        context => _completer.Keys(context, Before(context, application), suffix);

    /// <summary>What the argument was given before the word that is completed; null for nothing.</summary>
    private static string? Before(CompletionContext context, Argument<string> argument) =>
        context.ParseResult.GetResult(argument) is { Tokens: [var token, ..] } && token.Value != context.WordToComplete
            ? token.Value
            : null;
}
