using Ripple.Engine.Interest;

namespace Ripple.Gms.Regions;

/// <summary>
/// The regions of one zone, application and interest, by ordinal: a joiner goes into the first that has room. Core thread.
/// </summary>
internal sealed class RegionSet(RegionIdentity first)
{
    private readonly SortedDictionary<uint, ServedRegion> _regions = [];

    public bool IsEmpty => _regions.Count == 0;

    /// <summary>
    /// The first region with fewer members, joiners included; null, and the identity of the region to be made, when all that there are have
    /// as many.
    /// </summary>
    public ServedRegion? Find(int membersMax, out RegionIdentity missing)
    {
        uint free = 0;
        foreach ((uint ordinal, ServedRegion region) in _regions)
        {
            if (ordinal > free)
            {
                // One in between emptied and was dropped: its ordinal is given again before a further one.
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
