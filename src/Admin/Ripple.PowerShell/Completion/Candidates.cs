using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;
using Ripple.Admin;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Completion;

/// <summary>Completion candidates from a host. Never fails and never takes long, so that typing is not interrupted.</summary>
internal static class Candidates
{
    /// <summary>Maximum number of candidates.</summary>
    public const int OfferedMax = 100;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Asks for names and keeps those that start with the word; none if there is no connection, no answer in time, or a failure.
    /// </summary>
    /// <param name="word">The typed word, possibly with a leading quote; null for none.</param>
    /// <param name="bound">The parameters on the command line; null for none.</param>
    /// <param name="isPattern">True if the parameter takes wildcards, so that those of a name are escaped.</param>
    /// <param name="names">Asks the host for names.</param>
    public static IEnumerable<CompletionResult> Find(
        string? word,
        IDictionary? bound,
        bool isPattern,
        Func<RippleAdminClient, string, CancellationToken, IAsyncEnumerable<string>> names)
    {
        if ((Bound.Connection(bound) ?? RippleSession.Default)?.Client is not { } client)
        {
            return [];
        }

        string begin = (word ?? string.Empty).Trim('\'', '"', '\u2018', '\u2019', '\u201A', '\u201B');
        begin = isPattern ? WildcardPattern.Unescape(begin) : begin;
        var limit = new CancellationTokenSource(Limit);
        Task<List<string>> asking = Task.Run(() => TakeAsync(names(client, begin, limit.Token), begin), CancellationToken.None);
        // The token ends the request; if that takes long too, nothing waits for it.
        _ = asking.ContinueWith(
            static (_, l) => ((CancellationTokenSource)l!).Dispose(),
            limit,
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        return Task.WaitAny([asking], Limit) == 0 && asking.IsCompletedSuccessfully
            ? asking.Result.Select(name => Result(name, isPattern))
            : [];
    }

    /// <summary>
    /// The name as it can be written in a command. PowerShell takes typographic quotes for quotes too, so it is asked what to double.
    /// </summary>
    internal static string Quote(string name) =>
        name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-' or '/') && !name.StartsWith('-')
            ? name
            : $"'{CodeGeneration.EscapeSingleQuotedStringContent(name)}'";

    private static async Task<List<string>> TakeAsync(IAsyncEnumerable<string> names, string begin)
    {
        var found = new List<string>();
        await foreach (string name in names.ConfigureAwait(false))
        {
            // What cannot be seen is not put into a command line.
            if (name.StartsWith(begin, StringComparison.OrdinalIgnoreCase) && ShownText.FindHiddenInName(name) is null)
            {
                found.Add(name);
                if (found.Count == OfferedMax)
                {
                    break;
                }
            }
        }

        return found;
    }

    private static CompletionResult Result(string name, bool isPattern) =>
        new(Quote(isPattern ? WildcardPattern.Escape(name) : name), name, CompletionResultType.ParameterValue, name);
}

/// <summary>What is on the command line being typed.</summary>
internal static class Bound
{
    /// <summary>The application; null if none is given, or it is not a single string.</summary>
    public static string? Application(IDictionary? bound) => bound?["Application"] switch
    {
        string text => text,
        object[] { Length: 1 } several => several[0] as string,
        _ => null,
    };

    /// <summary>The connection; null if none is given, or PowerShell does not know it before the command runs.</summary>
    public static RippleConnection? Connection(IDictionary? bound) =>
        (bound?["Connection"] is PSObject wrapped ? wrapped.BaseObject : bound?["Connection"]) as RippleConnection;
}
