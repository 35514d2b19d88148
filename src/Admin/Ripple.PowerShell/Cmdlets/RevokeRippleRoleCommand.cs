using System.Management.Automation;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Takes a token's role in an application away, and what was made by that right.</summary>
[Cmdlet(VerbsSecurity.Revoke, "RippleRole", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.High)]
[OutputType(typeof(RippleEndedRights))]
public sealed class RevokeRippleRoleCommand : EndingCommand
{
    /// <summary>The id of the token.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(TokenCompleter))]
    [ValidateNotNullOrEmpty]
    public string TokenId { get; set; } = string.Empty;

    /// <summary>The application; <c>*</c> for the role in all.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string id, string application) = (TokenId, Application);
        End(
            $"Take the role in {ShownText.Line(application)} from the token {ShownText.Line(id)}",
            id,
            c => Client.PlanRemoveRoleAsync(id, application, c),
            c => Client.RemoveRoleAsync(id, application, KeepMade.IsPresent, c));
    }
}
