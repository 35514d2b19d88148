using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads which token may do what.</summary>
[Cmdlet(VerbsCommon.Get, "RippleRole")]
[OutputType(typeof(RippleRole))]
public sealed class GetRippleRoleCommand : ConnectedCmdlet
{
    /// <summary>The ids of the tokens; all if not given.</summary>
    [Parameter(Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(TokenCompleter))]
    [SupportsWildcards]
    public string[]? TokenId { get; set; }

    /// <summary>Only roles in this application; in all that the caller administers if not given.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string? Application { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        if (Pattern(TokenId) is not { } ids)
        {
            return;
        }

        Work(TokenId, async (pump, cancellationToken) =>
        {
            await foreach (RoleGrant grant in Client.ListRolesAsync(Application, cancellationToken).ConfigureAwait(false))
            {
                if (ids.IsMatch(grant.TokenId))
                {
                    pump.Post(() => WriteObject(new RippleRole(grant)));
                }
            }
        });
    }
}
