using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.Admin.Following;
using Ripple.Admin.Planning;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>What publishing and undoing share: a plan that is shown, a question, the change, and what is done with its result.</summary>
public abstract class ChangeCommand : RippleCmdlet
{
    /// <summary>Made by the module's cmdlets alone.</summary>
    private protected ChangeCommand()
    {
    }

    /// <summary>What changed and why.</summary>
    [Parameter]
    [AllowEmptyString]
    public string Note { get; set; } = string.Empty;

    /// <summary>Refused unless this is the newest release.</summary>
    [Parameter]
    public ulong? ExpectedRelease { get; set; }

    /// <summary>Waits until every node has it in effect.</summary>
    [Parameter]
    public SwitchParameter Wait { get; set; }

    /// <summary>When to give up waiting, in seconds.</summary>
    [Parameter]
    [ValidateRange(1, AdminLimits.WaitSecondsMax)]
    public int TimeoutSeconds { get; set; } = 300;

    /// <summary>Writes what was released.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>
    /// Plans, asks, and does it. The plan names every key and every node: that is what <c>-WhatIf</c> and <c>-Confirm</c> show.
    /// </summary>
    /// <param name="verb">What is done, for the question.</param>
    /// <param name="target">What it is done to, for an error record.</param>
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

        // Before the wait: it is released, whatever comes of waiting.
        if (PassThru.IsPresent)
        {
            WriteObject(new RipplePublished(result));
        }

        if (Wait.IsPresent)
        {
            var options = new FollowOptions { Timeout = TimeSpan.FromSeconds(TimeoutSeconds) };
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
