using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;

namespace Ripple.Engine.Caching;

/// <summary>
/// Which members keep the packets of a block of 64 sequences until all have them (QSM 2.2). A view is cut into neighbourhoods of
/// consecutive positions; in each, the member with the highest hash of slot and block keeps it, and the others ask that one. Each member
/// works it out from its own view, and nothing depends on two of them agreeing. Core thread.
/// </summary>
/// <param name="slot">The own slot.</param>
internal sealed class CacheOwners(uint slot) : IRepairPeers
{
    /// <summary>
    /// The most members of a neighbourhood. A member speaks to all others of its own, sooner or later, and a machine has room for about a
    /// thousand neighbours in its tables: also where dozens of members run in containers of one machine, there must be enough for all.
    /// </summary>
    public const int NeighboursMax = 16;

    /// <summary>
    /// The fewest members of a neighbourhood while there is another one: each keeps one packet of as many, and the sender repairs what all
    /// lost once a neighbourhood.
    /// </summary>
    public const int NeighboursMin = 12;

    private RegionView? _view;
    private int _first;
    private int _end;
    private ulong _block = ulong.MaxValue;
    private bool _isOwner;

    /// <summary>
    /// How many members of the region are to keep a block, where it has enough of them for neighbourhoods of <see cref="NeighboursMin"/>;
    /// 0 for none.
    /// </summary>
    public int Count { get; private set; }

    /// <summary>True while this member is one of a neighbourhood; else it keeps nothing, and asks the sender.</summary>
    public bool IsActive => _end > _first;

    /// <summary>A view begins.</summary>
    public void OnView(RegionView view)
    {
        _view = view;
        Update();
    }

    /// <summary>The host says how many members of the region are to keep a block, at least.</summary>
    public void SetCount(int count)
    {
        Count = count;
        Update();
    }

    /// <summary>The member with this slot in the newest view; null if there is none.</summary>
    public RegionMember? MemberOf(uint memberSlot) =>
        _view?.PositionOf(memberSlot) is { } position and >= 0 ? _view.Members[position] : null;

    /// <summary>True if this member keeps the packets of a block. Cheap for the block that was asked about last.</summary>
    public bool IsOwner(ulong block)
    {
        if (block != _block)
        {
            _block = block;
            _isOwner = IsActive && OwnerOf(block).Slot == slot;
        }

        return _isOwner;
    }

    /// <inheritdoc/>
    public bool TryChoose(ulong block, out NodeAddress controlAddress)
    {
        controlAddress = default;
        if (!IsActive || IsOwner(block))
        {
            return false;
        }

        controlAddress = OwnerOf(block).ControlAddress;
        return true;
    }

    private static ulong WeightOf(uint slot, ulong block)
    {
        ulong state = (block * 0xD1342543DE82EF95) ^ slot;
        return DeterministicRandom.SplitMix(ref state);
    }

    private RegionMember OwnerOf(ulong block)
    {
        RegionMember owner = _view!.Members[_first];
        ulong highest = WeightOf(owner.Slot, block);
        for (int position = _first + 1; position < _end; position++)
        {
            ulong weight = WeightOf(_view.Members[position].Slot, block);
            if (weight > highest)
            {
                (owner, highest) = (_view.Members[position], weight);
            }
        }

        return owner;
    }

    /// <summary>
    /// Of few members nobody keeps anything: the sender is as near. Who is not in the view yet has no neighbours, and asks the sender.
    /// </summary>
    private void Update()
    {
        _block = ulong.MaxValue;
        (_first, _end) = (0, 0);
        int members = _view?.Members.Length ?? 0;
        int position = _view?.PositionOf(slot) ?? -1;
        if (Count > 0 && position >= 0 && members >= 2 * Count)
        {
            int wanted = Math.Clamp(members / NeighboursMin, 1, Count);
            long neighbourhoods = Math.Max(wanted, (members + NeighboursMax - 1) / NeighboursMax);
            long own = (((position + 1) * neighbourhoods) - 1) / members;
            _first = (int)(own * members / neighbourhoods);
            _end = (int)((own + 1) * members / neighbourhoods);
        }
    }
}
