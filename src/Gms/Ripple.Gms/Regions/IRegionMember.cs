using Ripple.Engine.Protocol;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Regions;

/// <summary>A node as its region sees it: its identity in views, its frontier rows and its connection. Core thread.</summary>
internal interface IRegionMember
{
    /// <summary>Its name, used in events.</summary>
    string Name { get; }

    /// <summary>Its place in views; null before the first view that includes it.</summary>
    RegionMember? Place { get; }

    /// <summary>Its rows in the frontiers; null until it is accepted.</summary>
    MemberRows? Rows { get; }

    /// <summary>True if its protocol version supports multicast groups.</summary>
    bool KnowsGroups { get; }

    /// <summary>Assigns it a slot in the view being made.</summary>
    RegionMember TakePlace(uint slot);

    /// <summary>
    /// The host now sends in the view that includes the node, which from here on must receive everything. The connection may already be
    /// closed.
    /// </summary>
    /// <param name="region">The region, in that view.</param>
    /// <param name="firstSequence">The first sequence it must receive.</param>
    void Accept(ServedRegion region, ulong firstSequence);

    /// <summary>Sends a message.</summary>
    void Send<T>(T message)
        where T : class, IMessage<T>;

    /// <summary>Sends a body that was encoded once for many members; it must not be modified afterwards.</summary>
    void Send(MessageType type, byte[] body);
}
