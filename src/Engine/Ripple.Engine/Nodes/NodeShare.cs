using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Work done once for all nodes of one core that trust the same authority, instead of once per node: opening packets that a host sent to
/// all, decoding and checking releases, and building the resulting states. Each node still decides by itself what to accept. Holds nothing
/// while fewer than two nodes use it. Core thread.
/// </summary>
internal sealed class NodeShare
{
    /// <summary>Opened packets.</summary>
    public SharedPackets Packets { get; } = new();

    /// <summary>Decoded releases.</summary>
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
