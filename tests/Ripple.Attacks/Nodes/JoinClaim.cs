using Ripple.Engine.Core;

namespace Ripple.Attacks.Nodes;

/// <summary>What a node by hand says of itself when it joins. The host knows who it is by its certificate.</summary>
internal sealed record JoinClaim
{
    public string Zone { get; init; } = "default";

    public required string Name { get; init; }

    public IReadOnlyList<string> Interest { get; init; } = [];

    public NodeAddress Data { get; init; }

    public NodeAddress Control { get; init; }

    /// <summary>The highest epoch that it claims to have seen.</summary>
    public uint SlotEpoch { get; init; }
}
