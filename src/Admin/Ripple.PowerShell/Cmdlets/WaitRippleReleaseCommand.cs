using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.Admin.Following;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Waits until the nodes have a release, and shows the progress.</summary>
[Cmdlet(VerbsLifecycle.Wait, "RippleRelease")]
[OutputType(typeof(RippleWaitResult))]
public sealed class WaitRippleReleaseCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The release.</summary>
    [Parameter(Mandatory = true, Position = 1, ValueFromPipelineByPropertyName = true)]
    public ulong Release { get; set; }

    /// <summary>The generation of the release; 0 for the present one.</summary>
    [Parameter(ValueFromPipelineByPropertyName = true)]
    public uint Generation { get; set; }

    /// <summary>The level a node must reach with the release.</summary>
    [Parameter]
    [ValidateSet("Applied", "Persisted", "Received")]
    public string Level { get; set; } = "Applied";

    /// <summary>The predicate to wait for; if not given, every node must have the release.</summary>
    [Parameter]
    [ValidateNotNullOrEmpty]
    public string? Predicate { get; set; }

    /// <summary>How long to wait, in seconds.</summary>
    [Parameter]
    [ValidateRange(1, AdminLimits.WaitSecondsMax)]
    public int TimeoutSeconds { get; set; } = 300;

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        var options = new FollowOptions
        {
            Level = Enum.Parse<FollowLevel>(Level, ignoreCase: true),
            Predicate = Predicate,
            Generation = Generation == 0 ? null : Generation,
            Timeout = TimeSpan.FromSeconds(TimeoutSeconds),
        };
        (string application, ulong release) = (Application, Release);
        Work(application, async (pump, cancellationToken) =>
        {
            RippleWaitResult result = await FollowDisplay.FollowAsync(
                this, pump, application, release, options, cancellationToken).ConfigureAwait(false);
            pump.Post(() => WriteObject(result));
            if (FollowDisplay.Failure(result) is { } failure)
            {
                throw failure;
            }
        });
    }
}
