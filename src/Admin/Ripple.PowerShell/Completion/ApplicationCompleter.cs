using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;

namespace Ripple.PowerShell.Completion;

/// <summary>Completes the applications the token may read.</summary>
public sealed class ApplicationCompleter : IArgumentCompleter
{
    /// <summary>The candidates from the host; none if it does not answer within 2 s.</summary>
    public IEnumerable<CompletionResult> CompleteArgument(
        string commandName, string parameterName, string wordToComplete, CommandAst commandAst, IDictionary fakeBoundParameters) =>
        Candidates.Find(
            wordToComplete,
            fakeBoundParameters,
            isPattern: false,
            (client, _, cancellationToken) => client.ListApplicationsAsync(cancellationToken).Select(a => a.Name));
}
