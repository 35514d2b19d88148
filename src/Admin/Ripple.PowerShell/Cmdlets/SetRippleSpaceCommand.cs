using System.Management.Automation;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Sets the space of an application's events.</summary>
[Cmdlet(VerbsCommon.Set, "RippleSpace", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RipplePublished))]
public sealed class SetRippleSpaceCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The dimensions, 1 to 16, each as <c>price:real:0..1000:USD</c>; the kind is real, integer or time.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true)]
    [ValidateNotNullOrEmpty]
    public string[] Dimension { get; set; } = [];

    /// <summary>What changed and why.</summary>
    [Parameter]
    [AllowEmptyString]
    public string Note { get; set; } = string.Empty;

    /// <summary>Writes the release of the definitions.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, string text) = (Application, string.Join(' ', Dimension));
        string question = $"Set the space of {ShownText.Line(application)} to '{ShownText.Line(text)}', "
            + "and end the subscriptions that do not fit in it,";
        if (Work(application, (_, _) => Task.FromResult(Session))
            && Confirm(question)
            && Ask(application, c => Client.SetSpaceAsync(application, text, Note, c)) is { } published
            && PassThru.IsPresent)
        {
            WriteObject(new RipplePublished(published));
        }
    }
}
