using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Planning;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Cmdlets;

/// <summary>Shared by publishing, importing and undoing: the plan, the confirmation, and the change that does what was shown.</summary>
public abstract class ChangeCommand : ReleaseCommand
{
    /// <summary>How often it is planned anew because another published between the plan and the change.</summary>
    private const int PlansMax = 5;

    /// <summary>Only the module's cmdlets derive from it.</summary>
    private protected ChangeCommand()
    {
    }

    /// <summary>The change is refused unless this is the newest release: <c>2/101</c> with its generation, or <c>101</c> alone.</summary>
    [Parameter]
    public string? ExpectedRelease { get; set; }

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
    /// Plans, asks for confirmation, and applies the change. The plan names the cluster, every key and every node; <c>-WhatIf</c> and
    /// <c>-Confirm</c> show it. The change expects the release of the plan, with its generation, to be the newest still: where another
    /// published meanwhile, or the host's store was restored, it is planned and asked anew, unless a release was expected by the caller.
    /// </summary>
    /// <param name="verb">The action, for the confirmation.</param>
    /// <param name="target">The target of the change, for error records.</param>
    /// <param name="expected">The release that the caller expects; null for none.</param>
    /// <param name="plan">A dry run.</param>
    /// <param name="change">The change, with the release to expect.</param>
    private protected void Change(
        string verb,
        string target,
        ReleaseNumber? expected,
        Func<CancellationToken, Task<PublishPlan>> plan,
        Func<ReleaseNumber, CancellationToken, Task<PublishResult>> change)
    {
        for (int plans = 1; ; plans++)
        {
            if (Ask(target, plan) is not { } planned)
            {
                return;
            }

            string text = $"{verb} {planned.Application} on {Session.Place}, expecting release {planned.BaseRelease}: "
                + $"{PlanText.Changes(planned.Changes)}; reaches {PlanText.Nodes(planned.Nodes)}";
            if (!ShouldProcess(text, $"{text}?", "Ripple"))
            {
                return;
            }

            PublishResult? result = null;
            var shown = new ReleaseNumber(expected?.Generation ?? planned.BaseGeneration, planned.BaseRelease);
            bool mayPlanAgain = expected is null && plans < PlansMax;
            bool isDone = Work(target, async (_, cancellationToken) =>
            {
                try
                {
                    result = await change(shown, cancellationToken).ConfigureAwait(false);
                }
                catch (RippleAdminException e) when (e.Code == ProblemCodes.WrongExpectedRelease && mayPlanAgain)
                {
                    // Result stays null.
                }
            });
            if (!isDone)
            {
                return;
            }

            if (result is not null)
            {
                // Written before the wait: it is published, however the wait ends.
                if (PassThru.IsPresent)
                {
                    WriteObject(new RipplePublished(result));
                }

                AwaitRelease(result);
                return;
            }

            WriteVerbose($"Another published to '{planned.Application}' after release {planned.BaseRelease}: planned anew.");
        }
    }
}
