using Ripple.Admin.Contracts;
using Ripple.Admin.Following;

namespace Ripple.PowerShell.Output;

/// <summary>How a wait ended.</summary>
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

    /// <summary>How.</summary>
    public WaitOutcome Outcome { get; }

    /// <summary>Nodes it was bound to.</summary>
    public int Total { get; }

    /// <summary>Of them, those that have it.</summary>
    public int Holding { get; }

    /// <summary>Who kept it from holding, with reasons.</summary>
    public IReadOnlyList<WaitMember> Members { get; }

    /// <summary>For people; may be empty.</summary>
    public string Text { get; }
}
