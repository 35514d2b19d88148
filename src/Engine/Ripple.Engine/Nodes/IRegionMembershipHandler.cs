using Ripple.Engine.Core;

namespace Ripple.Engine.Nodes;

/// <summary>What a region membership tells its node. Core thread.</summary>
internal interface IRegionMembershipHandler
{
    /// <summary>A packet of the host was opened.</summary>
    void OnHostPacket(PacketClass packetClass);

    /// <summary>A message of the host's stream is whole. Lent for the call; unverified.</summary>
    void OnMessage(uint topic, ReadOnlySpan<byte> message);

    /// <summary>The sender no longer has what was missed.</summary>
    void OnSkipped();

    /// <summary>The newest view does not include this node.</summary>
    void OnExcluded();
}
