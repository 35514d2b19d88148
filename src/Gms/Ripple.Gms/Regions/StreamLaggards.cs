using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;

namespace Ripple.Gms.Regions;

/// <summary>
/// Whom a region's stream waits for, and for how long. Where the window stands still, the member that the ring names as having least is
/// told, alone, to go on behind what was sent by then; then whoever has least of the others, as long as it lacks anything of the window's
/// older half. What is in the window stays there for the others' repairs. If the window still stands after another time, it is given up
/// as a whole: who was told does not hear, or does not obey. Core thread.
/// </summary>
/// <param name="core">The core.</param>
/// <param name="sender">The region's stream.</param>
/// <param name="options">The stream's sizes and times.</param>
internal sealed class StreamLaggards(CoreLoop core, StreamSender sender, StreamOptions options)
{
    private RegionMember? _behind;
    private ulong _contiguous;
    private long _namedNs;
    // Whoever lacks anything up to the first is told to go on behind the second; none is while the first is 0.
    private ulong _lackedTo;
    private ulong _skipTo;
    private uint _notifiedSlot;

    /// <summary>The ring names the member that has least of the stream.</summary>
    /// <param name="member">The member.</param>
    /// <param name="contiguous">The sequence up to which it has everything.</param>
    public void OnBehind(RegionMember member, ulong contiguous)
    {
        _behind = member;
        _contiguous = contiguous;
        _namedNs = core.NowNs;
        if (contiguous < _lackedTo)
        {
            // Again with each round that names it: what tells it may be lost.
            Skip(member);
            return;
        }

        _lackedTo = 0;
        _notifiedSlot = 0;
        sender.OnBehind(member.ControlAddress, contiguous);
    }

    /// <summary>A member is gone.</summary>
    public void OnGone(uint slot)
    {
        if (_behind?.Slot == slot)
        {
            _behind = null;
        }
    }

    /// <inheritdoc cref="StreamSender.OnStalled"/>
    public void OnStalled()
    {
        ulong recent = sender.Highest - Math.Min(sender.Highest, (ulong)options.WindowPackets / 2);
        // A ring that is heard names somebody many times in that time.
        bool isNamed = core.NowNs - _namedNs < options.WindowStallNs / 2;
        if (isNamed && _behind is { } behind && behind.Slot != _notifiedSlot && _contiguous < recent)
        {
            _lackedTo = recent;
            _skipTo = sender.Highest;
            Skip(behind);
            return;
        }

        sender.ReleaseFloor(sender.Highest);
    }

    private void Skip(RegionMember member)
    {
        _notifiedSlot = member.Slot;
        sender.Skip(member.ControlAddress, _skipTo);
    }
}
