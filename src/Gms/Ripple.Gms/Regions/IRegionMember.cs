using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Regions;

/// <summary>A node as its region sees it: its identity in views, its frontier rows and its connection. Core thread.</summary>
internal interface IRegionMember
{
    /// <summary>Its name, used in events.</summary>
    string Name { get; }

    /// <summary>The token it enrolled with.</summary>
    string TokenId { get; }

    /// <summary>Whether it knows views of several parts.</summary>
    bool KnowsParts { get; }

    /// <summary>True if it repairs others, and may ask them.</summary>
    bool KnowsCaching { get; }

    /// <summary>True if it takes releases whose values travel in short forms.</summary>
    bool KnowsShortForms { get; }

    /// <summary>True if it may be asked to tell its aggregates through another, or to gather those of others.</summary>
    bool KnowsGathering { get; }

    /// <summary>Its place in its region; null before it is admitted, and once its connection is closed.</summary>
    RegionMember? Place { get; }

    /// <summary>Its rows in the frontiers; null until it is accepted.</summary>
    MemberFrontierRows? Rows { get; }

    /// <summary>What it last said that it and others repaired for each other.</summary>
    RepairReport Repairs { get; }

    /// <summary>What its ring says of it.</summary>
    RingSuspicion Suspicion { get; }

    /// <summary>Assigns it a slot.</summary>
    RegionMember TakePlace(uint slot);

    /// <summary>
    /// The node is admitted, and from here on must receive everything. The connection may already be closed.
    /// </summary>
    /// <param name="region">The region, in the view that the node starts from.</param>
    /// <param name="firstSequence">The first sequence it must receive.</param>
    /// <param name="memberKey">The key that no other member is given.</param>
    void Accept(ServedRegion region, ulong firstSequence, byte[] memberKey);

    /// <summary>Sends a message.</summary>
    void Send<T>(T message)
        where T : class, IMessage<T>;

    /// <summary>Sends a body that was encoded once for many members; it must not be modified afterwards.</summary>
    void Send(MessageType type, byte[] body);
}
