namespace Ripple.Gms.Regions;

/// <summary>A member's seat in a region, shared by all views that include it. Core thread.</summary>
internal sealed class RegionSeat(IRegionMember member)
{
    /// <summary>The member; null once removed.</summary>
    public IRegionMember? Member { get; private set; } = member;

    /// <summary>Removes the member: kept views then have an empty seat there.</summary>
    public void Clear() => Member = null;
}
