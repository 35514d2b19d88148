using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Language;
using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Completion;

/// <summary>Completes the ids of the tokens that are good and that the caller administers.</summary>
public sealed class TokenCompleter : IArgumentCompleter
{
    /// <summary>The candidates from the host; none if it does not answer within 2 s, or does not let the token see them.</summary>
    public IEnumerable<CompletionResult> CompleteArgument(
        string commandName, string parameterName, string wordToComplete, CommandAst commandAst, IDictionary fakeBoundParameters) =>
        Candidates.Find(
            wordToComplete,
            fakeBoundParameters,
            isPattern: false,
            (client, _, cancellationToken) => client.ListTokensAsync(cancellationToken)
                .Where(t => t.State == TokenState.Good)
                .Select(t => t.TokenId));
}
