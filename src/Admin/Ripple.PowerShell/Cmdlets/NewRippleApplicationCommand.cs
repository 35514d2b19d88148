using System.Management.Automation;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Creates applications.</summary>
[Cmdlet(VerbsCommon.New, "RippleApplication", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RippleApplication))]
public sealed class NewRippleApplicationCommand : ConnectedCmdlet
{
    /// <summary>The names.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ValidateNotNullOrEmpty]
    public string[] Application { get; set; } = [];

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        foreach (string name in Application)
        {
            // Before the question, which names the cluster.
            if (Work(name, (_, _) => Task.FromResult(Session))
                && Confirm($"Create the application {name}")
                && Ask(name, c => Client.CreateApplicationAsync(name, c)) is { } info)
            {
                WriteObject(new RippleApplication(info));
            }
        }
    }
}
