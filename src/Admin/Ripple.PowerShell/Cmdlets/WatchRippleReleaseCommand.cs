using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Writes each new release of an application as it is published, until it is stopped or its time is over.</summary>
[Cmdlet(VerbsCommon.Watch, "RippleRelease")]
[OutputType(typeof(RippleRelease))]
public sealed class WatchRippleReleaseCommand : ConnectedCmdlet
{
    private const int SecondsMax = 3_600;

    /// <summary>The application.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipelineByPropertyName = true)]
    [ArgumentCompleter(typeof(ApplicationCompleter))]
    [ValidateNotNullOrEmpty]
    public string Application { get; set; } = string.Empty;

    /// <summary>Begins after this release; after the newest if not given.</summary>
    [Parameter]
    public ulong? After { get; set; }

    /// <summary>How often the host is asked, in seconds.</summary>
    [Parameter]
    [ValidateRange(1, SecondsMax)]
    public int IntervalSeconds { get; set; } = 2;

    /// <summary>How long to watch, in seconds; until it is stopped if not given.</summary>
    [Parameter]
    [ValidateRange(1, int.MaxValue)]
    public int? TimeoutSeconds { get; set; }

    /// <summary>Processes one item of the pipeline.</summary>
    protected override void ProcessRecord()
    {
        (string application, ulong? after) = (Application, After);
        Work(application, async (pump, cancellationToken) =>
        {
            var watch = new ReleaseWatch(Client, application, after, TimeSpan.FromSeconds(IntervalSeconds))
            {
                Lost = text => pump.Post(() => WriteWarning(text)),
            };
            TimeSpan? timeout = TimeoutSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) : null;
            await foreach (ReleaseInfo info in watch.RunAsync(timeout, cancellationToken).ConfigureAwait(false))
            {
                pump.Post(() => WriteObject(new RippleRelease(application, info)));
            }
        });
    }
}
