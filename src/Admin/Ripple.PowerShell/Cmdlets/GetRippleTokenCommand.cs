using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads the tokens that the caller administers, without their secrets.</summary>
[Cmdlet(VerbsCommon.Get, "RippleToken")]
[OutputType(typeof(RippleToken))]
public sealed class GetRippleTokenCommand : ConnectedCmdlet
{
    /// <summary>The ids or names of the tokens; all if not given.</summary>
    [Parameter(Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(TokenCompleter))]
    [SupportsWildcards]
    public string[]? TokenId { get; set; }

    /// <summary>Only tokens in this state.</summary>
    [Parameter]
    [ValidateSet("Good", "Expired", "Revoked")]
    public string? State { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        if (Pattern(TokenId) is not { } names)
        {
            return;
        }

        TokenState? state = State is null ? null : Enum.Parse<TokenState>(State, ignoreCase: true);
        Work(TokenId, async (pump, cancellationToken) =>
        {
            var missing = new HashSet<string>(names.Literals, StringComparer.Ordinal);
            await foreach (TokenInfo token in Client.ListTokensAsync(cancellationToken).ConfigureAwait(false))
            {
                if (names.IsMatch(token.TokenId) || names.IsMatch(token.Name))
                {
                    missing.Remove(token.TokenId);
                    missing.Remove(token.Name);
                    if (state is null || token.State == state)
                    {
                        pump.Post(() => WriteObject(new RippleToken(token)));
                    }
                }
            }

            foreach (string name in missing.Order(StringComparer.Ordinal))
            {
                var failure = new CmdletException(
                    ProblemCodes.NotFound, $"There is no token '{name}' that you administer. See Get-RippleToken for those there are.");
                pump.Post(() => WriteError(ErrorCodes.Record(failure, name)));
            }
        });
    }
}
