using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;

namespace Ripple.PowerShell.Completion;

/// <summary>Completes the keys of the application given earlier on the command line.</summary>
public class KeyCompleter : IArgumentCompleter
{
    /// <summary>Whether wildcards are taken, so that what is none is to be escaped.</summary>
    private protected virtual bool IsPattern => false;

    /// <summary>The candidates from the host; none if it does not answer within 2 s, or no application is given.</summary>
    public IEnumerable<CompletionResult> CompleteArgument(
        string commandName, string parameterName, string wordToComplete, CommandAst commandAst, IDictionary fakeBoundParameters) =>
        Bound.Application(fakeBoundParameters) is { } application
            ? Candidates.Find(
                wordToComplete,
                fakeBoundParameters,
                IsPattern,
                (client, begin, cancellationToken) => client.ListKeysAsync(application, null, begin, cancellationToken).Select(k => k.Key))
            : [];
}
