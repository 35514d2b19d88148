using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;

namespace Ripple.PowerShell.Completion;

/// <summary>Completes the regions of the host.</summary>
public sealed class RegionCompleter : IArgumentCompleter
{
    /// <summary>The candidates from the host; none if it does not answer within 2 s, or does not let the token see them.</summary>
    public IEnumerable<CompletionResult> CompleteArgument(
        string commandName, string parameterName, string wordToComplete, CommandAst commandAst, IDictionary fakeBoundParameters) =>
        Candidates.Find(
            wordToComplete,
            fakeBoundParameters,
            isPattern: false,
            (client, _, cancellationToken) => client.ListRegionsAsync(cancellationToken).Select(r => r.Name));
}
