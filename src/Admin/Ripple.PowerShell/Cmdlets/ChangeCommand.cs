using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.Admin.Following;
using Ripple.Admin.Planning;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Shared by publishing and undoing: the plan shown, the confirmation, the change, and the handling of its result.</summary>
public abstract class ChangeCommand : RippleCmdlet
{
    /// <summary>Only the module's cmdlets derive from it.</summary>
    private protected ChangeCommand()
    {
    }

    /// <summary>What changed and why.</summary>
    [Parameter]
    [AllowEmptyString]
    public string Note { get; set; } = string.Empty;

    /// <summary>The change is refused unless this is the newest release: <c>2/101</c> with its generation, or <c>101</c> alone.</summary>
    [Parameter]
    public string? ExpectedRelease { get; set; }

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

    /// <summary>What is expected to be the newest release, null for anything; false after an error record.</summary>
    private protected bool TryReadExpected(out ReleaseNumber? expected)
    {
        bool isRead = ReleaseNumber.TryParse(ExpectedRelease, out ReleaseNumber number);
        expected = isRead ? number : null;
        if (!isRead && ExpectedRelease is not null)
        {
            string text = $"'{ExpectedRelease}' is not a release. Give 101, or 2/101 with its generation.";
            WriteError(ErrorCodes.Record(new CmdletException(ProblemCodes.InvalidRequest, text), ExpectedRelease));
        }

        return isRead || ExpectedRelease is null;
    }

    /// <summary>
    /// Plans, asks for confirmation, and applies the change. The plan names every key and every node; <c>-WhatIf</c> and <c>-Confirm</c>
    /// show it.
    /// </summary>
    /// <param name="verb">The action, for the confirmation.</param>
    /// <param name="target">The target of the change, for error records.</param>
    /// <param name="plan">A dry run.</param>
    /// <param name="change">The change.</param>
    private protected void Change(
        string verb, string target, Func<CancellationToken, Task<PublishPlan>> plan, Func<CancellationToken, Task<PublishResult>> change)
    {
        if (Ask(target, plan) is not { } planned
            || !ShouldProcess($"{verb} {PlanText.Describe(planned)}", $"{verb} {PlanText.Describe(planned)}?", "Ripple"))
        {
            return;
        }

        if (Ask(target, change) is not { } result)
        {
            return;
        }

        // Written before the wait: it is published, however the wait ends.
        if (PassThru.IsPresent)
        {
            WriteObject(new RipplePublished(result));
        }

        if (Wait.IsPresent)
        {
            var options = new FollowOptions { Timeout = TimeSpan.FromSeconds(TimeoutSeconds), Generation = result.Generation };
            Work(target, async (pump, cancellationToken) =>
            {
                RippleWaitResult waited = await FollowDisplay.FollowAsync(
                    this, pump, result.Application, result.Release, options, cancellationToken).ConfigureAwait(false);
                if (FollowDisplay.Failure(waited) is { } failure)
                {
                    throw failure;
                }
            });
        }
    }
}
