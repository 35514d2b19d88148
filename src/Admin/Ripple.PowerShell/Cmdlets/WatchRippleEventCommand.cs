using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Writes the events in all of the ranges as they come, until it is stopped, its time is over, or it had enough.</summary>
[Cmdlet(VerbsCommon.Watch, "RippleEvent")]
[OutputType(typeof(RippleEvent))]
public sealed class WatchRippleEventCommand : ConnectedCmdlet
{
    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>Half-open ranges, each as <c>price=10..20</c>; a dimension that is not given is open.</summary>
    [Parameter(Position = 1)]
    [ValidateNotNullOrEmpty]
    public string[]? Where { get; set; }

    /// <summary>Ends after so many events.</summary>
    [Parameter]
    [ValidateRange(1, int.MaxValue)]
    public int? Count { get; set; }

    /// <summary>Emitters of such events wait while they come faster than they are taken, instead of the oldest being lost.</summary>
    [Parameter]
    public SwitchParameter Block { get; set; }

    /// <summary>How long to watch, in seconds; until it is stopped if not given.</summary>
    [Parameter]
    [ValidateRange(1, int.MaxValue / 1_000)]
    public int? TimeoutSeconds { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, string[] where, bool block, int left) = (Application, Where ?? [], Block.IsPresent, Count ?? int.MaxValue);
        Work(application, async (pump, cancellationToken) =>
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(TimeoutSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) : Timeout.InfiniteTimeSpan);
            try
            {
                await foreach (SpaceEvent one in Client.SubscribeAsync(application, where, block, limit.Token).ConfigureAwait(false))
                {
                    pump.Post(() => WriteObject(new RippleEvent(application, one)));
                    if (--left == 0)
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
