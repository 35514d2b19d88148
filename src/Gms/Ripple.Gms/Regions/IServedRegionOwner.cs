using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Sessions;

namespace Ripple.Gms.Regions;

/// <summary>What a region asks of its host and tells it. Core thread.</summary>
internal interface IServedRegionOwner
{
    /// <summary>The host's incarnation: the origin of its streams.</summary>
    ulong Incarnation { get; }

    /// <summary>A fresh region key.</summary>
    byte[] NewKey();

    /// <summary>The first view counter for a region that begins now.</summary>
    uint NextViewCounter(ulong regionId);

    /// <summary>The first key epoch for a region that begins now: slots begin at 1 again, and none is used twice in a key epoch.</summary>
    uint FirstKeyEpoch { get; }

    /// <summary>Its events.</summary>
    GmsEvents Events { get; }

    /// <summary>A multicast group for a region that begins now; the default address: it has none. Given back by <see cref="ReturnGroup"/>.</summary>
    NodeAddress TakeGroup();

    /// <summary>A region that ended gives its group back.</summary>
    void ReturnGroup(in NodeAddress group);

    /// <summary>The primary of an application; null when there is none.</summary>
    ApplicationPrimary? Find(string application);

    /// <summary>The primary of a topic; null when there is none.</summary>
    ApplicationPrimary? Find(uint topic);

    /// <summary>Another one whenever an application came or committed something.</summary>
    long StateVersion { get; }

    /// <summary>Ring evidence of a member.</summary>
    void OnLevels(NodeConnection session, LevelRow row);

    /// <summary>A member rejected a release.</summary>
    void OnRejection(NodeConnection session, RejectionRow row);

    /// <summary>A member did not take the ring's token.</summary>
    void OnSilent(NodeConnection session);

    /// <summary>All evidence of one aggregate was told.</summary>
    void OnTableChanged(ServedRegion region);
}
