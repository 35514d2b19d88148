using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads who did what, newest first.</summary>
[Cmdlet(VerbsCommon.Get, "RippleAudit")]
[OutputType(typeof(RippleAuditEntry))]
public sealed class GetRippleAuditCommand : ConnectedCmdlet
{
    /// <summary>Only entries of this application; if not given of all, or of the one that the caller administers.</summary>
    [Parameter(Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    public string? Application { get; set; }

    /// <summary>Only these actions, such as <c>release.*</c>.</summary>
    [Parameter]
    [SupportsWildcards]
    public string[]? Action { get; set; }

    /// <summary>Only entries of this time or later.</summary>
    [Parameter]
    public DateTimeOffset? Since { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        if (Pattern(Action) is not { } actions)
        {
            return;
        }

        string? application = Application is { Length: > 0 } ? Application : null;
        DateTimeOffset? since = Since;
        Work(application, async (pump, cancellationToken) =>
        {
            await foreach (AuditInfo entry in Client.ListAuditAsync(application, cancellationToken).ConfigureAwait(false))
            {
                if (entry.Time < since)
                {
                    // Newest first: the others are older still.
                    break;
                }

                if (actions.IsMatch(entry.Action))
                {
                    pump.Post(() => WriteObject(new RippleAuditEntry(entry)));
                }
            }
        });
    }
}
