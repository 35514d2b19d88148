using System.Collections;
using System.Management.Automation;
using System.Text;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;
using Ripple.Trust;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Emits an event: it reaches every subscriber whose ranges have its values.</summary>
[Cmdlet(VerbsCommunications.Send, "RippleEvent", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium)]
[OutputType(typeof(RippleEmitted))]
public sealed class SendRippleEventCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>A value for each dimension of the space: a number, a time, or text.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true)]
    [ValidateNotNull]
    public IDictionary Point { get; set; } = new Hashtable();

    /// <summary>What it carries; at most 64 KiB.</summary>
    [Parameter(Position = 2, ValueFromPipelineByPropertyName = true)]
    [AllowEmptyString]
    public string Text { get; set; } = string.Empty;

    /// <summary>How far it is to be before the next item: accepted, matched or delivered.</summary>
    [Parameter]
    public EmitStage Until { get; set; } = EmitStage.Delivered;

    /// <summary>Writes how far it came, and how many got it.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, IDictionary point, byte[] bytes, EmitStage until) = (Application, Point, Encoding.UTF8.GetBytes(Text), Until);
        Dictionary<string, string> texts = [];
        if (!Work(application, (_, _) =>
        {
            texts = PointText.Of(point);
            return Task.FromResult(Session);
        }))
        {
            return;
        }

        string shown = string.Join(' ', texts.Select(t => $"{t.Key}={t.Value}").Order(StringComparer.Ordinal));
        if (Confirm($"Emit an event of {ShownText.Line(application)} at {ShownText.Line(shown)}")
            && Ask(application, c => Client.EmitAsync(application, texts, bytes, until, c)) is { } emitted
            && PassThru.IsPresent)
        {
            WriteObject(new RippleEmitted(application, emitted));
        }
    }
}
