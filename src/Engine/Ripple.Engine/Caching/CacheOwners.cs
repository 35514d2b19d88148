using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;

namespace Ripple.Engine.Caching;

/// <summary>
/// Which members keep the packets of a block of 64 sequences until all have them (QSM 4.4): those with the highest hash of slot and block.
/// Each member works it out from its own view, and nothing depends on two of them agreeing. Core thread.
/// </summary>
/// <param name="slot">The own slot.</param>
internal sealed class CacheOwners(uint slot) : IRepairPeers
{
    /// <summary>The most owners of a block.</summary>
    public const int OwnersMax = 16;

    private RegionView? _view;
    private ulong _block = ulong.MaxValue;
    private bool _isOwner;

    /// <summary>How many members keep a block; 0 for none.</summary>
    public int Count { get; private set; }

    /// <summary>False where too few members are in the view to gain anything: nobody keeps anything then, the sender is asked.</summary>
    public bool IsActive => Count > 0 && _view is { } view && view.Members.Length >= 2 * Count;

    /// <summary>A view begins.</summary>
    public void OnView(RegionView view)
    {
        _view = view;
        _block = ulong.MaxValue;
    }

    /// <summary>The member with this slot in the newest view; null if there is none.</summary>
    public RegionMember? MemberOf(uint memberSlot) =>
        _view?.PositionOf(memberSlot) is { } position and >= 0 ? _view.Members[position] : null;

    /// <summary>The host says how many members keep a block; more than <see cref="OwnersMax"/> are as many as that.</summary>
    public void SetCount(int count)
    {
        Count = Math.Min(count, OwnersMax);
        _block = ulong.MaxValue;
    }

    /// <summary>True if this member keeps the packets of a block. Cheap for the block that was asked about last.</summary>
    public bool IsOwner(ulong block)
    {
        if (block != _block)
        {
            _block = block;
            _isOwner = IsActive && IsAmongHighest(block);
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

        Span<(ulong Weight, int Position)> highest = stackalloc (ulong, int)[Count];
        int found = 0;
        for (int position = 0; position < _view!.Members.Length; position++)
        {
            ulong weight = WeightOf(_view.Members[position].Slot, block);
            if (found == Count && weight <= highest[^1].Weight)
            {
                continue;
            }

            int place = found < Count ? found++ : Count - 1;
            while (place > 0 && highest[place - 1].Weight < weight)
            {
                highest[place] = highest[place - 1];
                place--;
            }

            highest[place] = (weight, position);
        }

        int chosen = (int)(WeightOf(~slot, block) % (uint)Count);
        controlAddress = _view.Members[highest[chosen].Position].ControlAddress;
        return true;
    }

    private static ulong WeightOf(uint slot, ulong block)
    {
        ulong state = (block * 0xD1342543DE82EF95) ^ slot;
        return DeterministicRandom.SplitMix(ref state);
    }

    private bool IsAmongHighest(ulong block)
    {
        ulong own = WeightOf(slot, block);
        int higher = 0;
        bool isMember = false;
        foreach (RegionMember member in _view!.Members)
        {
            isMember |= member.Slot == slot;
            if (WeightOf(member.Slot, block) > own && ++higher == Count)
            {
                return false;
            }
        }

        return isMember;
    }
}
