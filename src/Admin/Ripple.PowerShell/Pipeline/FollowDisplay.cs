using System.Management.Automation;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Following;
using Ripple.PowerShell.Output;
using Ripple.Trust;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Follows a release with a progress bar that fills as nodes acknowledge it.</summary>
internal static class FollowDisplay
{
    private const int NamedMax = 5;

    /// <summary>Follows the release to its end and returns the result; throws if that fails, or if nobody is there.</summary>
    /// <param name="cmdlet">Writes the progress, and has the connection.</param>
    /// <param name="pump">Runs the writes on the pipeline's thread.</param>
    /// <param name="application">The application.</param>
    /// <param name="release">The release.</param>
    /// <param name="options">The level, predicate and timeout.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public static async Task<RippleWaitResult> FollowAsync(
        ConnectedCmdlet cmdlet,
        PipelinePump pump,
        string application,
        ulong release,
        FollowOptions options,
        CancellationToken cancellationToken)
    {
        string activity = $"Release {release} of {application}";
        FollowSnapshot? last = null;
        try
        {
            await foreach (FollowSnapshot snapshot in new ReleaseFollower(cmdlet.Client).FollowAsync(
                application, release, options, cancellationToken).ConfigureAwait(false))
            {
                last = snapshot;
                pump.Post(() => cmdlet.WriteProgress(Record(activity, snapshot)));
            }
        }
        catch (RippleAdminException e) when (e.Code == ProblemCodes.InvalidPredicate && options.Predicate is null)
        {
            // Nothing else can be wrong with a predicate that nobody gave.
            throw new CmdletException(
                ErrorCodes.NoMembers,
                $"No node takes '{application}' now, so that there is nobody to wait for with release {release}. "
                    + $"See Get-RippleNode {application} -IncludeGone.",
                e);
        }

        return new RippleWaitResult(last!);
    }

    /// <summary>The error for a wait that did not hold, naming the members responsible; null if it held.</summary>
    public static CmdletException? Failure(RippleWaitResult result)
    {
        if (result.Outcome == WaitOutcome.Held)
        {
            return null;
        }

        string members = result.Members.Count == 0
            ? "nobody is named"
            : string.Join(
                "; ", result.Members.Select(m => $"{m.Name} is at {m.Value}{(m.Reason.Length == 0 ? string.Empty : $" ({m.Reason})")}"));
        return result.Outcome == WaitOutcome.CannotHold
            ? new CmdletException(
                ErrorCodes.CannotHold,
                $"Release {result.Release} of '{result.Application}' cannot come to hold: {members}. "
                    + $"Publish a release that they accept, or bring back the one before with Undo-RippleRelease.")
            : new CmdletException(
                ErrorCodes.TimedOut,
                $"Release {result.Release} of '{result.Application}' did not hold in time: {members}. It is published and on its way: "
                    + $"wait again, or see Get-RippleNode {result.Application} -BehindRelease {result.Release}.");
    }

    internal static ProgressRecord Record(string activity, FollowSnapshot snapshot) => new(Id(snapshot), activity, Status(snapshot))
    {
        PercentComplete = snapshot.Percent,
        RecordType = snapshot.Result is null ? ProgressRecordType.Processing : ProgressRecordType.Completed,
    };

    internal static string Status(FollowSnapshot snapshot)
    {
        string status = $"{snapshot.Holding} of {snapshot.Total} nodes";
        if (snapshot.Rejections.Count > 0)
        {
            status += $"; rejected by {Names(snapshot.Rejections)}";
        }

        return snapshot.Laggards.Count > 0 ? $"{status}; waiting for {Names(snapshot.Laggards)}" : status;
    }

    private static string Names(IReadOnlyList<NodeInfo> nodes) =>
        string.Join(", ", nodes.Take(NamedMax).Select(n => ShownText.Line(n.Name)))
            + (nodes.Count > NamedMax ? $" and {nodes.Count - NamedMax} more" : string.Empty);

    /// <summary>The progress bar's id, derived from the release number.</summary>
    private static int Id(FollowSnapshot snapshot) => (int)((uint)(snapshot.Release % 1_000_000) + 1);
}
