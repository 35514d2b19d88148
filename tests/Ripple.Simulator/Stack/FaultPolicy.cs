using Ripple.Engine.Core;

namespace Ripple.Simulator.Stack;

/// <summary>Which faults occur between a feed and a socket, and how often. The default policy does nothing.</summary>
internal sealed record FaultPolicy
{
    /// <summary>A policy that passes everything on.</summary>
    public static FaultPolicy None { get; } = new();

    /// <summary>The share of datagrams lost, from 0 to 1. Default 0.</summary>
    public double DropProbability { get; init; }

    /// <summary>The share of datagrams sent twice, from 0 to 1; the copy has its own delay. Default 0.</summary>
    public double DuplicateProbability { get; init; }

    /// <summary>The share of datagrams held for up to <see cref="ReorderNsMax"/> longer than the others, from 0 to 1. Default 0.</summary>
    public double ReorderProbability { get; init; }

    /// <summary>The longest additional delay of a reordered datagram, in nanoseconds. Default 1 ms.</summary>
    public long ReorderNsMax { get; init; } = 1_000_000;

    /// <summary>The shortest delay of every datagram, in nanoseconds. Default 0.</summary>
    public long DelayNsMin { get; init; }

    /// <summary>
    /// The longest delay, in nanoseconds. Delays are distributed evenly between the two, so that datagrams overtake each other when the two
    /// differ. Default 0.
    /// </summary>
    public long DelayNsMax { get; init; }

    /// <summary>True for destinations that cannot be reached now. Null: all can be reached.</summary>
    public Func<NodeAddress, bool>? IsPartitioned { get; init; }
}
