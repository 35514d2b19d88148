using Ripple.Engine.Core;

namespace Ripple.Engine.Nodes;

/// <summary>Events that a region membership reports to its node. Core thread.</summary>
internal interface IRegionMembershipHandler
{
    /// <summary>A packet of the host was opened.</summary>
    void OnHostPacket(PacketClass packetClass);

    /// <summary>A message of the host's stream is complete. Valid during the call only; unverified.</summary>
    void OnMessage(uint topic, ReadOnlySpan<byte> message);

    /// <summary>The sender no longer has the missing packets.</summary>
    void OnSkipped();

    /// <summary>The newest view does not include this node.</summary>
    void OnExcluded();
}
