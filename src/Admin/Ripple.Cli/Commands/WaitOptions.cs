using System.CommandLine;
using System.CommandLine.Parsing;
using Ripple.Admin.Contracts;

namespace Ripple.Cli.Commands;

/// <summary><c>--wait [PREDICATE]</c> and <c>--timeout</c>.</summary>
internal sealed class WaitOptions
{
    /// <summary>The predicate for "in effect everywhere".</summary>
    public const string Everywhere = "MIN($ALL.applied)";

    /// <summary>What a predicate believes, and how it believes less.</summary>
    public const string Belief = "Reports of others are believed: a member that lies can make others seem to have a release, or to have "
        + "rejected it. MIN($ALL.applied.direct) counts only what each told a host itself";

    private readonly Option<string?> _wait = new("--wait")
    {
        Description = $"Waits until this holds; exit code 3 when it does not. Default {Everywhere}: in effect everywhere. {Belief}",
        HelpName = "PREDICATE",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly Option<int> _timeout = TimeoutOption();

    public static Option<int> TimeoutOption() => new("--timeout")
    {
        Description = "How long to wait",
        HelpName = "SECONDS",
        CustomParser = Parsed.Count("--timeout", AdminLimits.WaitSecondsMax, "seconds"),
        DefaultValueFactory = _ => 60,
    };

    public void AddTo(Command command)
    {
        command.Options.Add(_wait);
        command.Options.Add(_timeout);
        _wait.Validators.Add(result =>
        {
            // KEY=FILE after --wait would be taken as its predicate and be missing from the publish.
            if (result.Tokens is [var token] && !token.Value.Contains('(', StringComparison.Ordinal))
            {
                result.AddError(
                    $"--wait takes a predicate such as '{Everywhere}', not '{token.Value}'. "
                        + $"Put --wait behind everything else, or give the predicate.");
            }
        });
    }

    public bool IsAsked(CommandResult result) => result.GetResult(_wait) is { Implicit: false };

    public string? Predicate(CliContext context) =>
        context.Result.GetResult(_wait) is { Implicit: false } ? context.Get(_wait) ?? Everywhere : null;

    public TimeSpan Timeout(CliContext context) => TimeSpan.FromSeconds(context.Get(_timeout));
}
