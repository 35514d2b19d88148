using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Trust;

namespace Ripple.Gms.Regions;

/// <content>What administrators may look at.</content>
internal sealed partial class RegionTable
{
    /// <summary>The most names that a refusal lists.</summary>
    private const int NamesToldMax = 8;

    /// <summary>The regions behind one in the order of their numbers; null for the first ones.</summary>
    public IEnumerable<ServedRegion> After(ulong? regionId, int countMax) =>
        _regions.Values.Where(r => regionId is null || r.Identity.RegionId > regionId).Take(countMax);

    /// <summary>The region of a name, or of a beginning that no other name has; null with a refusal if there is not one.</summary>
    public ServedRegion? Find(string name, out Refusal? refusal)
    {
        refusal = null;
        if (!RegionStatus.TryParseName(name, out ulong first, out ulong last))
        {
            refusal = new Refusal(
                ErrorCode.InvalidRequest,
                $"'{ShownText.Line(name)}' is no region's name, which has {RegionStatus.NameDigits} hexadecimal digits, "
                    + "nor the beginning of one. See the list of regions.");
            return null;
        }

        ServedRegion[] found = [.. _regions.Values.Where(r => r.Identity.RegionId >= first && r.Identity.RegionId <= last)];
        refusal = found.Length switch
        {
            1 => null,
            0 => new Refusal(
                ErrorCode.NotFound,
                $"This host has no region '{name}' now: a region ends with its last member. See the list of regions."),
            _ => new Refusal(
                ErrorCode.InvalidRequest,
                string.Create(CultureInfo.InvariantCulture, $"The names of {found.Length} regions begin with '{name}': ")
                    + $"{string.Join(", ", found.Take(NamesToldMax).Select(r => RegionStatus.NameOf(r.Identity.RegionId)))}. "
                    + "Give more digits."),
        };
        return refusal is null ? found[0] : null;
    }
}
