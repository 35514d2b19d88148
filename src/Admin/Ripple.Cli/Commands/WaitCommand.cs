using System.CommandLine;
using System.CommandLine.Parsing;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>wait</c>.</summary>
internal static class WaitCommand
{
    public static Command Make(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var release = new Argument<ReleaseNumber>("RELEASE")
        {
            CustomParser = Parsed.Number,
            Description = "The release, such as 12, or with its generation, such as 2/12",
        };
        var predicate = new Argument<string>("PREDICATE")
        {
            Description = $"What is to hold, or the name of a predicate. Default {WaitOptions.Everywhere}: in effect everywhere. "
                + WaitOptions.Belief,
            DefaultValueFactory = _ => WaitOptions.Everywhere,
        };
        Option<int> timeout = WaitOptions.TimeoutOption();
        var command = new Command(
            "wait",
            "Waits until a predicate holds for a release; exit code 3 when it does not, with the names of those that kept it from holding.")
        {
            application,
            release,
            predicate,
            timeout,
        };
        return scope.Run(command, async context =>
        {
            string name = context.Get(application);
            ReleaseNumber number = context.Get(release);
            WaitResult wait = await Waiting.RunAsync(
                context, name, number, context.Get(predicate), TimeSpan.FromSeconds(context.Get(timeout))).ConfigureAwait(false);
            context.Write(wait, AdminJson.Default.WaitResult, w => Waiting.Tell(context, name, number.Release, w));
            return Waiting.Code(wait);
        });
    }
}

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
        Description = "Waits until this, or the predicate of this name, holds; exit code 3 when it does not. "
            + $"Default {Everywhere}: in effect everywhere. {Belief}",
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
            if (result.Tokens is [var token] && !token.Value.Contains('(', StringComparison.Ordinal) && !IsName(token.Value))
            {
                result.AddError(
                    $"--wait takes a predicate such as '{Everywhere}', or the name of one, not '{token.Value}'. "
                        + $"Put --wait behind everything else, or give the predicate.");
            }
        });
    }

    public bool IsAsked(CommandResult result) => result.GetResult(_wait) is { Implicit: false };

    public string? Predicate(CliContext context) =>
        context.Result.GetResult(_wait) is { Implicit: false } ? context.Get(_wait) ?? Everywhere : null;

    /// <summary>Whether a text may be the name of a predicate; the host knows which there are.</summary>
    private static bool IsName(string text) =>
        text.Length > 0
        && char.IsAsciiLetterLower(text[0])
        && text.All(c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '.' or '_' or '-');

    public TimeSpan Timeout(CliContext context) => TimeSpan.FromSeconds(context.Get(_timeout));
}

/// <summary>Runs a wait, showing its progress and result.</summary>
internal static class Waiting
{
    public static Task<WaitResult> RunAsync(
        CliContext context, string application, ReleaseNumber number, string predicate, TimeSpan timeout) =>
        LiveView.RunAsync(context, show =>
        {
            ulong release = number.Release;
            var progress = new DirectProgress<WaitProgress>(p =>
            {
                // Until its members are counted, a wait reports a total of zero.
                if (p.Total > 0)
                {
                    show([$"{LiveView.Bar(context, p.Holding, p.Total)}{p.Holding} of {p.Total} have release {release}"]);
                }
            });
            return number.Generation is { } generation
                ? context.Client.WaitAsync(application, generation, release, predicate, timeout, progress, context.Cancel)
                : context.Client.WaitAsync(application, release, predicate, timeout, progress, context.Cancel);
        });

    public static int Code(WaitResult? wait) => wait is null or { Outcome: WaitOutcome.Held } ? ExitCodes.Done : ExitCodes.NotHeld;

    public static void Tell(CliContext context, string application, ulong release, WaitResult wait)
    {
        string what = $"release {release} of {application}";
        string text = wait.Text.Length == 0 ? string.Empty : $": {wait.Text}";
        context.Line(wait.Outcome switch
        {
            WaitOutcome.Held => $"held: {what}, {Count(wait.Total)}",
            WaitOutcome.CannotHold => $"cannot hold: {what}, {Count(wait.Total)}{text}",
            _ => $"not held in time: {what}, {Count(wait.Total)}{text}",
        });
        Table(context, "kept from holding by:", wait.Members);
        Table(context, "not counted:", wait.Discounted);
    }

    private static void Table(CliContext context, string title, IReadOnlyList<WaitMember> members)
    {
        if (members.Count == 0)
        {
            return;
        }

        context.Line(title);
        var table = new TextTable(">RELEASE", "NODE", "ID", "REASON");
        foreach (WaitMember member in members)
        {
            table.Add(Show.Number(member.Value), member.Name, member.NodeId, member.Reason);
        }

        table.Write(context.Console.Out);
    }

    private static string Count(int members) => members == 1 ? "1 member" : $"{members} members";
}
