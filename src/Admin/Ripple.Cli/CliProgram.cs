using System.CommandLine;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Cli.Commands;
using Ripple.Cli.Output;
using Ripple.Trust;

namespace Ripple.Cli;

/// <summary>The program, independent of a process.</summary>
internal static class CliProgram
{
    /// <summary>Runs a command line and returns the exit code. Never throws.</summary>
    public static async Task<int> RunAsync(string[] args, CliConsole console, CancellationToken cancellationToken = default)
    {
        var scope = new CliScope(console);
        // An argument is what was typed: a key such as '@scope/pkg', or a note that begins with '@', names no file of further arguments.
        ParseResult result = RootCommands.Make(scope).Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
        try
        {
            if (result.Errors.Count > 0 && result.Action?.ClearsParseErrors != true)
            {
                string help = $"{string.Join(' ', CommandPath(result))} --help";
                throw new CliException(
                    $"{string.Join(' ', result.Errors.Select(e => e.Message).Distinct())}{Environment.NewLine}See '{help}'.");
            }

            var configuration = new InvocationConfiguration
            {
                Output = console.Out,
                Error = console.Error,
                EnableDefaultExceptionHandler = false,
                ProcessTerminationTimeout = null,
            };
            int code = await result.InvokeAsync(configuration, cancellationToken).ConfigureAwait(false);
            await console.Out.FlushAsync(CancellationToken.None).ConfigureAwait(false);
            return code;
        }
        catch (Exception e)
        {
            return Tell(e, scope, result, cancellationToken);
        }
    }

    private static int Tell(Exception e, CliScope scope, ParseResult result, CancellationToken cancellationToken)
    {
        (int code, Problem problem) = Judge(e, cancellationToken);
        bool isJson = result.GetResult(scope.Format) is { Errors: var errors }
            && !errors.Any()
            && result.GetValue(scope.Format) == OutputFormat.Json;
        try
        {
            scope.Console.Out.Flush();
            if (isJson)
            {
                JsonOutput.Write(scope.Console.Error, problem, CliJson.Default.Problem);
            }
            else
            {
                scope.Console.Error.WriteLine(ShownText.Lines(problem.Detail));
            }

            scope.Console.Error.Flush();
        }
        catch (IOException)
        {
            // Nobody is reading anymore; the exit code still reports the failure.
        }

        return code;
    }

    private static (int Code, Problem Problem) Judge(Exception e, CancellationToken cancellationToken) => e switch
    {
        OperationCanceledException when cancellationToken.IsCancellationRequested => (ExitCodes.Cancelled, Of(
            "cancelled", "Cancelled", "Cancelled. What was sent before may have been done: look before you do it again.")),
        WaitFailedException wait => (ExitCodes.NotHeld, Judge(wait.Refusal, cancellationToken).Problem),
        CliException => (ExitCodes.Usage, Of("usage", "Usage", e.Message)),
        RippleAdminException { Failure: var failure } admin =>
            (Code(failure), (admin.Problem ?? Of(admin.Code, "The call failed", "")) with { Detail = Advise(admin) }),
        IOException or UnauthorizedAccessException =>
            (ExitCodes.Usage, Of("file", "A file", $"{e.Message} Give a path that this user may use.")),
        _ => (ExitCodes.Internal, Of(
            ProblemCodes.Internal,
            "A fault of this program",
            $"This is a fault of this program; please report it with the following.{Environment.NewLine}{e}")),
    };

    private static Problem Of(string code, string title, string detail) => new() { Code = code, Title = title, Detail = detail };

    private static int Code(AdminFailure failure) => failure switch
    {
        AdminFailure.Refused => ExitCodes.Refused,
        AdminFailure.Unauthorised => ExitCodes.Unauthorised,
        AdminFailure.Unreachable => ExitCodes.Unreachable,
        _ => ExitCodes.Internal,
    };

    /// <summary>The host's message, plus advice for this command line.</summary>
    private static string Advise(RippleAdminException e)
    {
        string? advice = e.Code switch
        {
            ProblemCodes.WrongExpectedRelease => $"See what changed with 'ripple history', then go on with "
                + $"{(e.NewestRelease is { } newest ? $"--expect {new ReleaseNumber(e.NewestGeneration, newest)}" : "another --expect")}.",
            ProblemCodes.Unauthenticated =>
                "Ask an administrator for a token ('ripple token create'), then save its connection with 'ripple connect'.",
            ProblemCodes.NotAllowed => "'ripple whoami' shows your roles; an administrator gives others with 'ripple role set'.",
            ProblemCodes.UnknownApplication => "'ripple app list' shows those there are.",
            ProblemCodes.NothingChanged => "There is nothing to do.",
            ProblemCodes.InvalidJson => "Correct the file and publish again; nothing was released.",
            ProblemCodes.EditRefused => "Nothing was released.",
            ProblemCodes.EditConflict => "'ripple history' and 'ripple diff' show who changed it, and how.",
            ProblemCodes.Busy => "Try again in a moment.",
            _ => null,
        };
        if (e.Code == ProblemCodes.Unauthenticated)
        {
            // The host speaks of requests and headers.
            return "The token of this connection is not good here: it was revoked, has expired, or is of another cluster."
                + $"{Environment.NewLine}{advice}";
        }

        return advice is null ? e.Message : $"{e.Message}{Environment.NewLine}{advice}";
    }

    private static List<string> CommandPath(ParseResult result)
    {
        var names = new List<string>();
        for (System.CommandLine.Parsing.SymbolResult? at = result.CommandResult; at is not null; at = at.Parent)
        {
            if (at is System.CommandLine.Parsing.CommandResult { Command: var command })
            {
                names.Insert(0, command is RootCommand ? "ripple" : command.Name);
            }
        }

        return names;
    }
}

/// <summary>The program's exit codes.</summary>
internal static class ExitCodes
{
    /// <summary>The command succeeded.</summary>
    public const int Done = 0;

    /// <summary>The command line, a file it refers to or the connection is not valid.</summary>
    public const int Usage = 1;

    /// <summary>The host refused, or the request conflicts with the current state.</summary>
    public const int Refused = 2;

    /// <summary>A wait did not hold; the members responsible were listed.</summary>
    public const int NotHeld = 3;

    /// <summary>The token is not valid, or does not allow the call.</summary>
    public const int Unauthorised = 4;

    /// <summary>No host, or no trusted host, could be reached.</summary>
    public const int Unreachable = 5;

    /// <summary>A fault of this program or of the host.</summary>
    public const int Internal = 70;

    /// <summary>Canceled, for example with Ctrl-C.</summary>
    public const int Cancelled = 130;
}

/// <summary>The command cannot be run as written; the message is shown to the user.</summary>
/// <param name="message">What is wrong and what to do.</param>
internal sealed class CliException(string message) : Exception(message);

/// <summary>The release was published, but the host refused the wait: the exit code must not say that nothing was released.</summary>
/// <param name="refusal">The host's refusal.</param>
internal sealed class WaitFailedException(RippleAdminException refusal) : Exception(refusal.Message, refusal)
{
    public RippleAdminException Refusal { get; } = refusal;
}
