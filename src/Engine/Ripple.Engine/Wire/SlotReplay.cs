using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>
/// What the opener keeps of one slot in view: replay windows for the newest two keys, made when a packet was first authenticated.
/// </summary>
internal sealed class SlotReplay(uint allowedFromEpoch)
{
    /// <summary>The keys that packets are taken under at one time: the newest, and the one before it.</summary>
    private const int KeysMax = 2;

    /// <summary>The most windows of one slot: one for each key and class.</summary>
    public const int WindowsMax = KeysMax * PacketLayout.ClassCount;

    private readonly Epoch[] _epochs = [new(), new()];

    /// <summary>The first key epoch under which the slot may seal: a slot given anew must not revive its old owner's packets.</summary>
    public uint AllowedFromEpoch { get; } = allowedFromEpoch;

    /// <summary>False when there is a window and it knows the number.</summary>
    public bool IsFresh(in PacketHeader header)
    {
        foreach (Epoch epoch in _epochs)
        {
            if (epoch.KeyEpoch == header.KeyEpoch && epoch.Windows[(int)header.Class] is { } window)
            {
                return window.IsFresh(header.Number);
            }
        }

        return true;
    }

    /// <summary>Marks the number of an authenticated packet.</summary>
    public void Mark(in PacketHeader header)
    {
        Epoch epoch = EpochOf(header.KeyEpoch);
        (epoch.Windows[(int)header.Class] ??= new ReplayWindow()).Mark(header.Number);
    }

    private Epoch EpochOf(uint keyEpoch)
    {
        foreach (Epoch held in _epochs)
        {
            if (held.KeyEpoch == keyEpoch)
            {
                return held;
            }
        }

        // Two epochs are live at most, and epochs only grow: the lower of the two held is over.
        Epoch free = (_epochs[0].KeyEpoch ?? 0) <= (_epochs[1].KeyEpoch ?? 0) ? _epochs[0] : _epochs[1];
        free.Begin(keyEpoch);
        return free;
    }

    private sealed class Epoch
    {
        public uint? KeyEpoch { get; private set; }

        public ReplayWindow?[] Windows { get; } = new ReplayWindow?[PacketLayout.ClassCount];

        public void Begin(uint keyEpoch)
        {
            KeyEpoch = keyEpoch;
            foreach (ReplayWindow? window in Windows)
            {
                window?.Clear();
            }
        }
    }
}
