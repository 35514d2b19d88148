using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Following;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Shared by what makes a release: its note, and what is done once it is published.</summary>
public abstract class ReleaseCommand : ConnectedCmdlet
{
    /// <summary>Only the module's cmdlets derive from it.</summary>
    private protected ReleaseCommand()
    {
    }

    /// <summary>What changed and why.</summary>
    [Parameter]
    [AllowEmptyString]
    public string Note { get; set; } = string.Empty;

    /// <summary>Waits until the release is in effect at every node.</summary>
    [Parameter]
    public SwitchParameter Wait { get; set; }

    /// <summary>How long to wait, in seconds.</summary>
    [Parameter]
    [ValidateRange(1, AdminLimits.WaitSecondsMax)]
    public int TimeoutSeconds { get; set; } = 300;

    /// <summary>Writes the published release to the pipeline.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>
    /// Waits for a release that is published, if that was asked for. A wait that fails is an error that says that it is published.
    /// </summary>
    private protected void AwaitRelease(PublishResult result)
    {
        if (!Wait.IsPresent)
        {
            return;
        }

        var options = new FollowOptions { Timeout = TimeSpan.FromSeconds(TimeoutSeconds), Generation = result.Generation };
        Work(result.Application, async (pump, cancellationToken) =>
        {
            RippleWaitResult waited;
            try
            {
                waited = await FollowDisplay.FollowAsync(
                    this, pump, result.Application, result.Release, options, cancellationToken).ConfigureAwait(false);
            }
            catch (RippleAdminException e)
            {
                throw new CmdletException(
                    ErrorCodes.WaitFailed,
                    $"Release {result.Release} of '{result.Application}' is published, but the wait for it failed: {e.Message} "
                        + $"Wait again with Wait-RippleRelease {result.Application} {result.Release}.",
                    e);
            }

            if (FollowDisplay.Failure(waited) is { } failure)
            {
                throw failure;
            }
        });
    }
}
