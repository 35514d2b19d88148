using System.Globalization;
using Ripple.Engine.Interest;
using Ripple.Engine.Protocol;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>
/// The regions of a host. Nodes name their zones, so regions appear and disappear; a region that reappears starts above the views and key
/// epochs of all before it. Core thread.
/// </summary>
internal sealed partial class RegionTable : IDisposable
{
    private readonly SortedDictionary<ulong, ServedRegion> _regions = [];
    private readonly SortedDictionary<ulong, RegionSet> _byInterest = [];
    private readonly SortedDictionary<ulong, ShareOwner> _madeFor = [];
    private readonly RegionServices _services;
    private readonly ShareLedger _shares;
    private uint _viewCounter;
    private uint _keyEpochFloor;

    public RegionTable(RegionServices services)
    {
        _services = services;
        GmsOptions options = services.Context.Options;
        _shares = new ShareLedger(options.RegionsMax, options.EffectiveRegionsPerTokenMax);
    }

    /// <summary>All regions, by id.</summary>
    public IReadOnlyDictionary<ulong, ServedRegion> All => _regions;

    /// <summary>The current views, for instruments and checkers.</summary>
    public IEnumerable<RegionView> Views => _regions.Values.Select(r => r.View);

    /// <summary>The streams of all regions, for instruments and checkers.</summary>
    public IEnumerable<StreamSender> Streams => _regions.Values.Select(r => r.Stream);

    /// <summary>The region for a joiner of this interest: the first that has room, or a new one; null with a refusal if none may be
    /// made.</summary>
    public ServedRegion? TryFor(RegionIdentity identity, ShareOwner owner, out Refusal? refusal)
    {
        refusal = null;
        if (!_byInterest.TryGetValue(identity.RegionId, out RegionSet? regions))
        {
            int membersMax = JoinAnswer.MembersMax(_services.Context.Signer.Certificate, identity.Interest);
            regions = new RegionSet(identity, Math.Min(_services.Context.Options.RegionMembersMax, membersMax));
            _byInterest.Add(identity.RegionId, regions);
        }

        if (regions.Find(out RegionIdentity missing) is not { } region)
        {
            refusal = RefuseAnother(identity, owner);
            if (refusal is not null)
            {
                if (regions.IsEmpty)
                {
                    _byInterest.Remove(identity.RegionId);
                }

                return null;
            }

            region = new ServedRegion(_services, missing, _viewCounter++, Math.Max(_services.Context.Epoch.Value, _keyEpochFloor));
            regions.Add(region);
            _regions.Add(missing.RegionId, region);
            _madeFor.Add(missing.RegionId, owner);
            _shares.Add(owner, 1);
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
            _services.Counters.DatagramsRefused++;
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

    /// <summary>True while a region with members that takes the application has one that does not know short forms.</summary>
    public bool MustBeWhole(ApplicationPrimary primary)
    {
        foreach (ServedRegion region in Of(primary))
        {
            if (region.MemberCount > 0 && !region.UsesShortForms)
            {
                return true;
            }
        }

        return false;
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

    /// <summary>Called a few times a second: drops empty regions, and looks after the others.</summary>
    public void OnTick()
    {
        DropEmpty();
        long roundAgeNsMax = 0;
        long leaves = 0;
        long parts = 0;
        long silent = 0;
        foreach (ServedRegion region in _regions.Values)
        {
            region.OnTick();
            leaves += region.LeafCount;
            roundAgeNsMax = Math.Max(roundAgeNsMax, region.RoundAgeNsMax);
            parts += region.View.Members.Length > 0 ? region.View.PartCount : 0;
            silent += region.SilentCount;
        }

        _services.Counters.RoundAgeNsMax = roundAgeNsMax;
        _services.Counters.Parts = parts;
        _services.Counters.Silent = silent;
        _services.Counters.Leaves = leaves;
    }

    private void DropEmpty()
    {
        foreach ((ulong id, ServedRegion region) in _regions.Where(r => r.Value.IsEmpty).ToArray())
        {
            _viewCounter = Math.Max(_viewCounter, region.View.Number.Counter + 1);
            _keyEpochFloor = Math.Max(_keyEpochFloor, region.KeyEpoch + 1);
            region.Dispose();
            _regions.Remove(id);
            _madeFor.Remove(id, out ShareOwner owner);
            _shares.Add(owner, -1);
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

    private Refusal? RefuseAnother(RegionIdentity identity, ShareOwner owner)
    {
        (long max, string whose)? full = _shares.Judge(owner, 1) switch
        {
            ShareBound.All => (_services.Context.Options.RegionsMax, string.Empty),
            ShareBound.Token => (_shares.TokenMax, " with this token"),
            ShareBound.Application => (_shares.ApplicationMax, $" with tokens of '{owner.Application}'"),
            _ => null,
        };
        if (full is not (var max, var whose))
        {
            return null;
        }

        string text = string.Create(
            CultureInfo.InvariantCulture,
            $"The host has as many regions as it may ({max}{whose}), and the node would need another: each zone, application and interest "
                + $"has its own. Its zone is '{identity.Zone}': a zone names a site, not a machine.");
        return new Refusal(ErrorCode.Busy, text);
    }

    private IEnumerable<ServedRegion> Of(ApplicationPrimary primary) =>
        _regions.Values.Where(r => r.Identity.Takes(primary.Name));
}

/// <summary>The regions of one zone, application and interest, by ordinal: a joiner enters the first that has room. Core thread.</summary>
/// <param name="first">The identity with ordinal 0.</param>
/// <param name="membersMax">
/// The most members of each: fewer where so many applications are named that no more fit the answer to a join.
/// </param>
internal sealed class RegionSet(RegionIdentity first, int membersMax)
{
    private readonly SortedDictionary<uint, ServedRegion> _regions = [];

    public bool IsEmpty => _regions.Count == 0;

    /// <summary>The first region with room, counting joiners; if all are full, null and the identity of the region to create.</summary>
    public ServedRegion? Find(out RegionIdentity missing)
    {
        uint free = 0;
        foreach ((uint ordinal, ServedRegion region) in _regions)
        {
            if (ordinal > free)
            {
                // A region in between was empty and dropped: its ordinal is reused before a new one.
                break;
            }

            if (region.NodeCount < membersMax)
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

/// <summary>Services shared by all regions of a host.</summary>
/// <param name="Context">The host's shared services.</param>
/// <param name="Counters">The host's counters.</param>
/// <param name="Events">The host's events.</param>
/// <param name="Applications">The applications whose releases are sent.</param>
/// <param name="Keys">The source of region keys.</param>
/// <param name="Groups">The multicast groups; null when the host has none.</param>
/// <param name="Incarnation">The host's incarnation: the origin of its streams.</param>
/// <param name="DataSink">Sends data and repairs.</param>
/// <param name="ControlSink">Sends beacons and acknowledgements.</param>
/// <param name="EvaluateWaits">Called once all evidence of an aggregate has been recorded.</param>
internal sealed record RegionServices(
    HostContext Context,
    GmsCounters Counters,
    GmsEvents Events,
    ApplicationTable Applications,
    IKeySource Keys,
    GroupRange? Groups,
    ulong Incarnation,
    IDatagramSink DataSink,
    IDatagramSink ControlSink,
    Action EvaluateWaits);
