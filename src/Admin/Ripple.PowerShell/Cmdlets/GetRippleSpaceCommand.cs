using System.Collections;
using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads the spaces of applications' events, or who would get an event.</summary>
[Cmdlet(VerbsCommon.Get, "RippleSpace")]
[OutputType(typeof(RippleSpace), typeof(RippleSubscription))]
public sealed class GetRippleSpaceCommand : ConnectedCmdlet
{
    /// <summary>The application. With a wildcard those that have no space are left out.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [SupportsWildcards]
    [ValidateNotNullOrEmpty]
    public string[] Application { get; set; } = [];

    /// <summary>Values of dimensions: writes the subscriptions that would get such an event. What is not given is open.</summary>
    [Parameter]
    [ValidateNotNull]
    public IDictionary? Explain { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        foreach (string application in Applications(Application))
        {
            if (Explain is { } point)
            {
                Write(application, point);
            }
            else if (Ask(application, c => Client.GetDefinitionsAsync(application, c)) is { } all)
            {
                Write(application, all.Space);
            }
        }
    }

    private void Write(string application, IDictionary point)
    {
        if (Ask(application, c => Client.ExplainSpaceAsync(application, PointText.Of(point), c)) is not { } found)
        {
            return;
        }

        foreach (SpaceSubscription subscription in found.Subscriptions)
        {
            WriteObject(new RippleSubscription(application, subscription));
        }

        if (found.Count > found.Subscriptions.Count)
        {
            WriteWarning($"{found.Count - found.Subscriptions.Count} more would get it, and are not listed.");
        }
    }

    private void Write(string application, SpaceInfo? space)
    {
        if (space is not null)
        {
            WriteObject(new RippleSpace(application, space));
        }
        else if (Application.Contains(application))
        {
            WriteError(ErrorCodes.Record(
                new CmdletException(
                    ProblemCodes.NotFound,
                    $"'{application}' has no space for events. Set one: Set-RippleSpace {application} price:real:0..1000"),
                application));
        }
    }
}
