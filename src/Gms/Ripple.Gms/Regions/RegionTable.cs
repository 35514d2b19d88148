using Ripple.Engine.Interest;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>
/// The regions of a host. Nodes name their zones, so regions come and go: one that comes again begins above the views and key epochs of all
/// before it. Core thread.
/// </summary>
internal sealed class RegionTable(RegionServices services) : IDisposable
{
    private readonly SortedDictionary<ulong, ServedRegion> _regions = [];
    private readonly SortedDictionary<ulong, RegionSet> _byInterest = [];
    private uint _viewCounter;
    private uint _keyEpochFloor;

    /// <summary>All of them, by id.</summary>
    public IReadOnlyDictionary<ulong, ServedRegion> All => _regions;

    /// <summary>The views now, for instruments and checkers.</summary>
    public IEnumerable<RegionView> Views => _regions.Values.Select(r => r.View);

    /// <summary>What the streams have done.</summary>
    public IEnumerable<StreamCounters> Streams => _regions.Values.Select(r => r.StreamCounters);

    /// <summary>The region that a joiner of this interest goes into: the first that has room, else a further one.</summary>
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

    /// <summary>A datagram reached the host.</summary>
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

    /// <summary>Something was committed.</summary>
    public void OnCommitted(ApplicationPrimary primary)
    {
        foreach (ServedRegion region in Of(primary))
        {
            region.OnCommitted(primary);
        }
    }

    /// <summary>True while no region takes the application's releases as fast as they come, and at least one has members.</summary>
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

    /// <summary>Asks every member of an application to say itself, and not by the ring, what it has of a release.</summary>
    public void Demand(ApplicationPrimary primary, ulong release)
    {
        foreach (ServedRegion region in Of(primary))
        {
            region.Demand(primary.Topic, release);
        }
    }

    /// <summary>Drops the regions that nobody is in any more.</summary>
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
