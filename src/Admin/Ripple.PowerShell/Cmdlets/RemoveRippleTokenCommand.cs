using System.Management.Automation;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Revokes tokens, and what they made. Nodes that enrolled with them are removed.</summary>
[Cmdlet(VerbsCommon.Remove, "RippleToken", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.High)]
[OutputType(typeof(RippleEndedRights))]
public sealed class RemoveRippleTokenCommand : EndingCommand
{
    /// <summary>The ids of the tokens.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(TokenCompleter))]
    [ValidateNotNullOrEmpty]
    public string[] TokenId { get; set; } = [];

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        foreach (string given in TokenId)
        {
            // Of a whole token only the id is sent: the secret must not spread further.
            string id = AccessTokenSecret.TryParse(given, out AccessTokenSecret? secret) ? secret!.Id : given;
            End(
                $"Revoke the token {ShownText.Line(id)}",
                id,
                c => Client.PlanRevokeTokenAsync(id, c),
                c => Client.RevokeTokenAsync(id, KeepMade.IsPresent, c));
        }
    }
}
