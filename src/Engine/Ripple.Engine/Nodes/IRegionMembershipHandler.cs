using Ripple.Engine.Core;
using Ripple.Engine.Protocol.Views;

namespace Ripple.Engine.Nodes;

/// <summary>Events that a region membership reports to its node. Core thread.</summary>
internal interface IRegionMembershipHandler
{
    /// <summary>A packet of the host was opened.</summary>
    void OnHostPacket(PacketClass packetClass);

    /// <summary>A probe of the host arrived at this node's address.</summary>
    void OnPathProbe(PathAnswer answer);

    /// <summary>A message of the host's stream is complete. Valid during the call only; unverified.</summary>
    void OnMessage(uint topic, ReadOnlySpan<byte> message);

    /// <summary>The sender no longer has the missing packets.</summary>
    void OnSkipped();

    /// <summary>The key of the region is no longer of use: another is needed.</summary>
    void OnKeyFault(KeyRequest request);

    /// <summary>The newest view does not include this node.</summary>
    void OnExcluded();
}
