using System.CommandLine;
using System.CommandLine.Completions;
using Ripple.Cli.Completion;

namespace Ripple.Cli.Commands;

/// <summary>Arguments that name items of the cluster, with completion.</summary>
internal sealed class NameArguments(CliScope scope)
{
    private readonly NameCompleter _completer = new(scope);

    /// <summary>An application.</summary>
    public Argument<string> Application()
    {
        var argument = new Argument<string>("APP") { Description = "The application" };
        // Called for every argument of a command, regardless of the word's position.
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

    /// <summary>A region.</summary>
    public Argument<string> Region()
    {
        var argument = new Argument<string>("NAME") { Description = "The region's name, or as many of its first digits as no other has" };
        argument.CompletionSources.Add(_completer.Regions);
        return argument;
    }

    /// <summary>Completes keys of the application given by another argument.</summary>
    public Func<CompletionContext, IEnumerable<CompletionItem>> KeysOf(Argument<string> application, string suffix = "") =>
        context => _completer.Keys(context, Before(context, application), suffix);

    /// <summary>The value given for the argument before the word being completed; null if none.</summary>
    private static string? Before(CompletionContext context, Argument<string> argument) =>
        context.ParseResult.GetResult(argument) is { Tokens: [var token, ..] } && token.Value != context.WordToComplete
            ? token.Value
            : null;
}
