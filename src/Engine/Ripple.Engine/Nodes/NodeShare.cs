using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>
/// What the nodes of one core that trust the same authority do once and not once a node: opening packets that a host sent to all, decoding
/// and checking releases, building the states they lead to. Each node still decides by itself what it takes. Holds nothing while fewer than
/// two nodes use it. Core thread.
/// </summary>
internal sealed class NodeShare
{
    /// <summary>Packets that were opened.</summary>
    public SharedPackets Packets { get; } = new();

    /// <summary>Releases that were decoded.</summary>
    public SharedReleases Releases { get; } = new();

    internal void Join()
    {
        Packets.Join();
        Releases.Join();
    }

    internal void Leave()
    {
        Packets.Leave();
        Releases.Leave();
    }
}
