using Ripple.Engine.Protocol;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Regions;

/// <summary>A node as its region knows it: who it is in views, where its evidence goes, and how it is told. Core thread.</summary>
internal interface IRegionMember
{
    /// <summary>Its name, for events.</summary>
    string Name { get; }

    /// <summary>Its place in views; null before the first view that includes it.</summary>
    RegionMember? Place { get; }

    /// <summary>Its rows in the frontiers; null before it was accepted.</summary>
    MemberRows? Rows { get; }

    /// <summary>Whether it may be told of a multicast group.</summary>
    bool KnowsGroups { get; }

    /// <summary>It gets a slot in the view that is being made.</summary>
    RegionMember TakePlace(uint slot);

    /// <summary>The host sends in the view that includes it: from here on it is owed what comes. It may be gone already.</summary>
    /// <param name="region">The region, in that view.</param>
    /// <param name="firstSequence">The first sequence it is owed.</param>
    void Accept(ServedRegion region, ulong firstSequence);

    /// <summary>Sends a message.</summary>
    void Send<T>(T message)
        where T : class, IMessage<T>;

    /// <summary>Sends a body that was encoded once for many; it must not change any more.</summary>
    void Send(MessageType type, byte[] body);
}
