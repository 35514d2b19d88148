namespace Ripple.Gms.Calls;

/// <summary>
/// What a connection, a token, or the tokens of one application may spend of the core: for calls, which are refused beyond it, and for all
/// frames, which wait beyond it. Core thread.
/// </summary>
/// <param name="name">Who that is, in words.</param>
/// <param name="limits">What it may spend.</param>
/// <param name="secondsKept">The seconds of unused time that it keeps.</param>
/// <param name="nowNs">The core's time.</param>
internal sealed class Spender(string name, SpendingLimits limits, int secondsKept, long nowNs)
{
    // Fields: the methods of a mutable struct in a property would act on a copy.
    public CallRate Calls = new(limits.CallNsPerSecond, secondsKept, nowNs);
    public CallRate Frames = new(limits.FrameNsPerSecond, secondsKept, nowNs);

    /// <summary>Who it is, in words: "the token x".</summary>
    public string Name { get; } = name;

    /// <summary>Connections and requests that spend from it; it is forgotten some time after the last.</summary>
    public int HolderCount { get; set; }

    /// <summary>True while it stands among those to be forgotten.</summary>
    public bool IsLeaving { get; set; }

    /// <summary>When it was last told that it spent more than its share; null for never.</summary>
    public long? ToldNs { get; set; }

    /// <summary>What was refused or made to wait since then.</summary>
    public long UntoldCount { get; set; }

    /// <summary>True when forgetting it gives nobody more than it had.</summary>
    public bool IsRested(long nowNs) => Calls.IsFull(nowNs) & Frames.IsFull(nowNs);
}
