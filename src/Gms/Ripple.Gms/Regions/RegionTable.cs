using Ripple.Engine.Interest;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>
/// The regions of a host. Nodes name their zones, so regions appear and disappear; a region that reappears starts above the views and key
/// epochs of all before it. Core thread.
/// </summary>
internal sealed class RegionTable(RegionServices services) : IDisposable
{
    private readonly SortedDictionary<ulong, ServedRegion> _regions = [];
    private readonly SortedDictionary<ulong, RegionSet> _byInterest = [];
    private uint _viewCounter;
    private uint _keyEpochFloor;

    /// <summary>All regions, by id.</summary>
    public IReadOnlyDictionary<ulong, ServedRegion> All => _regions;

    /// <summary>The current views, for instruments and checkers.</summary>
    public IEnumerable<RegionView> Views => _regions.Values.Select(r => r.View);

    /// <summary>The streams of all regions, for instruments and checkers.</summary>
    public IEnumerable<StreamSender> Streams => _regions.Values.Select(r => r.Stream);

    /// <summary>The region for a joiner of this interest: the first that has room, or a new one.</summary>
    public ServedRegion For(RegionIdentity identity)
    {
        if (!_byInterest.TryGetValue(identity.RegionId, out RegionSet? regions))
        {
            regions = new RegionSet(identity);
            _byInterest.Add(identity.RegionId, regions);
        }

        if (regions.Find(services.Context.Options.RegionMembersMax, out RegionIdentity missing) is not { } region)
        {
            region = new ServedRegion(services, missing, _viewCounter++, Math.Max(services.Context.Epoch.Value, _keyEpochFloor));
            regions.Add(region);
            _regions.Add(missing.RegionId, region);
        }

        return region;
    }

    /// <summary>Handles a datagram received by the host.</summary>
    public void OnDatagram(Span<byte> datagram)
    {
        if (PacketHeader.TryRead(datagram, out PacketHeader header) == PacketHeaderStatus.Ok
            && _regions.TryGetValue(header.RegionId, out ServedRegion? region))
        {
            region.OnDatagram(datagram);
        }
        else
        {
            services.Counters.DatagramsRefused++;
        }
    }

    /// <summary>An application committed releases.</summary>
    public void OnCommitted(ApplicationPrimary primary)
    {
        foreach (ServedRegion region in Of(primary))
        {
            region.OnCommitted(primary);
        }
    }

    /// <summary>True while every region with members is too far behind the application's releases, and there is at least one.</summary>
    public bool AreAllBehind(ApplicationPrimary primary)
    {
        bool isAnyBehind = false;
        foreach (ServedRegion region in Of(primary))
        {
            if (region.MemberCount == 0)
            {
                continue;
            }

            if (!region.IsFarBehind(primary))
            {
                return false;
            }

            isAnyBehind = true;
        }

        return isAnyBehind;
    }

    /// <summary>Asks every member of an application to report a release directly instead of through the ring.</summary>
    public void Demand(ApplicationPrimary primary, ulong release)
    {
        foreach (ServedRegion region in Of(primary))
        {
            region.Demand(primary.Topic, release);
        }
    }

    /// <summary>Drops empty regions.</summary>
    public void DropEmpty()
    {
        foreach ((ulong id, ServedRegion region) in _regions.Where(r => r.Value.IsEmpty).ToArray())
        {
            _viewCounter = Math.Max(_viewCounter, region.View.Number.Counter + 1);
            _keyEpochFloor = Math.Max(_keyEpochFloor, region.KeyEpoch + 1);
            region.Dispose();
            _regions.Remove(id);
            ulong interestId = region.Identity.Ordinal == 0 ? id : region.Identity.At(0).RegionId;
            RegionSet regions = _byInterest[interestId];
            regions.Remove(region);
            if (regions.IsEmpty)
            {
                _byInterest.Remove(interestId);
            }
        }
    }

    public void Dispose()
    {
        foreach (ServedRegion region in _regions.Values)
        {
            region.Dispose();
        }

        _regions.Clear();
    }

    private IEnumerable<ServedRegion> Of(ApplicationPrimary primary) =>
        _regions.Values.Where(r => r.Identity.Interest.Contains(primary.Name));
}
