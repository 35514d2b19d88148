using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Reads the history of an application, newest first, or single releases.</summary>
[Cmdlet(VerbsCommon.Get, "RippleRelease")]
[OutputType(typeof(RippleRelease))]
public sealed class GetRippleReleaseCommand : ConnectedCmdlet
{
    /// <summary>The applications.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [SupportsWildcards]
    [ValidateNotNullOrEmpty]
    public string[] Application { get; set; } = [];

    /// <summary>The releases; all if not given.</summary>
    [Parameter(Position = 1, ValueFromPipelineByPropertyName = true)]
    public ulong[]? Release { get; set; }

    /// <summary>Only releases before this one.</summary>
    [Parameter]
    public ulong? Before { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        foreach (string application in Applications(Application))
        {
            if (Release is not { Length: > 0 } releases)
            {
                ulong? before = Before;
                Work(application, (pump, cancellationToken) => ListAsync(pump, application, before, cancellationToken));
                continue;
            }

            foreach (ulong release in releases)
            {
                if (Ask(release, c => Client.GetReleaseAsync(application, release, c)) is { } info)
                {
                    WriteObject(new RippleRelease(application, info));
                }
            }
        }
    }

    private async Task ListAsync(PipelinePump pump, string application, ulong? before, CancellationToken cancellationToken)
    {
        await foreach (ReleaseInfo info in Client.ListReleasesAsync(application, before, cancellationToken).ConfigureAwait(false))
        {
            pump.Post(() => WriteObject(new RippleRelease(application, info)));
        }
    }
}
