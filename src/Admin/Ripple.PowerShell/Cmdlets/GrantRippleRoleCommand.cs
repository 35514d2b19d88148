using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Gives a token a role in an application, instead of the one it had there.</summary>
[Cmdlet(VerbsSecurity.Grant, "RippleRole", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RippleRole))]
public sealed class GrantRippleRoleCommand : ConnectedCmdlet
{
    /// <summary>The id of the token.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(TokenCompleter))]
    [ValidateNotNullOrEmpty]
    public string TokenId { get; set; } = string.Empty;

    /// <summary>The application; <c>*</c> for all.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>What it may do there.</summary>
    [Parameter(Mandatory = true, Position = 2)]
    [ValidateSet("Node", "Publisher", "Admin")]
    public string Role { get; set; } = string.Empty;

    /// <summary>Lets what the token made in the application stay, although it no longer administers it.</summary>
    [Parameter]
    public SwitchParameter KeepMade { get; set; }

    /// <summary>Lets the role stay when the caller's own token has expired; for administrators of the cluster.</summary>
    [Parameter]
    public SwitchParameter Outlive { get; set; }

    /// <summary>Writes the role.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string id, string application, Role role) = (TokenId, Application, Enum.Parse<Role>(Role, ignoreCase: true));
        string question = $"Make the token {ShownText.Line(id)} {Role.ToLowerInvariant()} of {ShownText.Line(application)}";
        if (Work(id, (_, _) => Task.FromResult(Session))
            && Confirm(question)
            && Ask(id, c => Client.SetRoleAsync(id, application, role, KeepMade.IsPresent, Outlive.IsPresent, c)) is { } grant
            && PassThru.IsPresent)
        {
            WriteObject(new RippleRole(grant));
        }
    }
}
