using System.Diagnostics;

namespace Ripple.Load.Fanout;

/// <summary>A measured time of one side: both processes' counters at its begin and its end.</summary>
internal sealed record Period(Sample SenderBefore, Sample SenderAfter, Sample ReceiversBefore, Sample ReceiversAfter)
{
    public double Seconds => Received("at") / Stopwatch.Frequency;

    public double Sent(string name) => SenderAfter[name] - SenderBefore[name];

    public double Received(string name) => ReceiversAfter[name] - ReceiversBefore[name];

    /// <summary>A counter's growth in both processes.</summary>
    public double Both(string name) => Sent(name) + Received(name);
}
