using Ripple.Admin.Contracts;
using Ripple.Admin.Following;

namespace Ripple.PowerShell.Output;

/// <summary>The result of a wait.</summary>
public sealed class RippleWaitResult
{
    internal RippleWaitResult(FollowSnapshot last)
    {
        Application = last.Application;
        Release = last.Release;
        Outcome = last.Result!.Outcome;
        Total = last.Total;
        Holding = last.Holding;
        Members = [.. last.Result.Members];
        Text = last.Result.Text;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The release.</summary>
    public ulong Release { get; }

    /// <summary>The outcome.</summary>
    public WaitOutcome Outcome { get; }

    /// <summary>The number of nodes bound to the wait.</summary>
    public int Total { get; }

    /// <summary>The number of those that have the release.</summary>
    public int Holding { get; }

    /// <summary>The members that kept the predicate from holding, with reasons.</summary>
    public IReadOnlyList<WaitMember> Members { get; }

    /// <summary>Details for display; may be empty.</summary>
    public string Text { get; }
}
