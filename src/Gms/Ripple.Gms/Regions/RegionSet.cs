using Ripple.Engine.Interest;

namespace Ripple.Gms.Regions;

/// <summary>The regions of one zone, application and interest, by ordinal: a joiner enters the first that has room. Core thread.</summary>
internal sealed class RegionSet(RegionIdentity first)
{
    private readonly SortedDictionary<uint, ServedRegion> _regions = [];

    public bool IsEmpty => _regions.Count == 0;

    /// <summary>The first region with room, counting joiners; if all are full, null and the identity of the region to create.</summary>
    public ServedRegion? Find(int membersMax, out RegionIdentity missing)
    {
        uint free = 0;
        foreach ((uint ordinal, ServedRegion region) in _regions)
        {
            if (ordinal > free)
            {
                // A region in between was empty and dropped: its ordinal is reused before a new one.
                break;
            }

            if (region.MemberCount + region.JoiningCount < membersMax)
            {
                missing = region.Identity;
                return region;
            }

            free++;
        }

        missing = first.At(free);
        return null;
    }

    public void Add(ServedRegion region) => _regions.Add(region.Identity.Ordinal, region);

    public void Remove(ServedRegion region) => _regions.Remove(region.Identity.Ordinal);
}
