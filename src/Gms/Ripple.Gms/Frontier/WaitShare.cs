namespace Ripple.Gms.Frontier;

/// <summary>What the waits of one connection, or of one request over HTTP, cost together. Core thread.</summary>
internal sealed class WaitShare
{
    /// <summary>The sum of their costs, in values of rows a look.</summary>
    public long Cost { get; internal set; }
}
