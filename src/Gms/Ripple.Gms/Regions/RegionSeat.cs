namespace Ripple.Gms.Regions;

/// <summary>A member's seat in a region, shared by all views that include it. Core thread.</summary>
internal sealed class RegionSeat(IRegionMember member)
{
    /// <summary>The member; null once it was removed.</summary>
    public IRegionMember? Member { get; private set; } = member;

    /// <summary>The member goes: views that are still kept know nobody there any more.</summary>
    public void Clear() => Member = null;
}
