using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>A node as its region sees it: its identity in views, its frontier rows and its connection. Core thread.</summary>
internal interface IRegionMember
{
    /// <summary>The node.</summary>
    NodeId Node { get; }

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

    /// <summary>True if it stays connected when a view lacks it.</summary>
    bool KnowsLeaves { get; }

    /// <summary>When the host heard it last, in core time.</summary>
    long LastHeardNs { get; }

    /// <summary>Whether it was heard lately: its next frame is not overdue.</summary>
    bool IsHeard { get; }

    /// <summary>Takes its place away; it stays a member, and is brought forward by catch-up.</summary>
    void BecomeLeaf();

    /// <summary>A leaf is brought to the newest release of an application.</summary>
    void BringForward(ApplicationPrimary primary);

    /// <summary>Whether a leaf is heard, and has reported all that was committed when this was last asked.</summary>
    bool KeepsPace();

    /// <summary>A view has it again.</summary>
    void EndLeaf();

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
