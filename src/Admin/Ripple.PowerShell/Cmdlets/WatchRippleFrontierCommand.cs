using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Writes the newest release for which a predicate holds, now and whenever that changes, until it is stopped.</summary>
[Cmdlet(VerbsCommon.Watch, "RippleFrontier")]
[OutputType(typeof(RippleFrontierPoint))]
public sealed class WatchRippleFrontierCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>The predicate, or the name of one.</summary>
    [Parameter(Position = 1)]
    [ValidateNotNullOrEmpty]
    public string Predicate { get; set; } = "MIN($ALL.applied)";

    /// <summary>Ends when it holds for this release.</summary>
    [Parameter]
    public ulong? Until { get; set; }

    /// <summary>How long to watch, in seconds; until it is stopped if not given.</summary>
    [Parameter]
    [ValidateRange(1, int.MaxValue / 1_000)]
    public int? TimeoutSeconds { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, string predicate, ulong? until) = (Application, Predicate, Until);
        Work(application, async (pump, cancellationToken) =>
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(TimeoutSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) : Timeout.InfiniteTimeSpan);
            try
            {
                await foreach (MonitorPoint point in Client.MonitorAsync(application, predicate, limit.Token).ConfigureAwait(false))
                {
                    pump.Post(() => WriteObject(new RippleFrontierPoint(application, predicate, point)));
                    if (point.Release >= until)
                    {
                        return;
                    }
                }
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                // The time is over, which is how it was asked to end.
            }
        });
    }
}
