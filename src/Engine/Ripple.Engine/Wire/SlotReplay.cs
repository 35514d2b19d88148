using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>
/// The opener's state for one slot in the view: replay windows for the newest two keys, each created when its first packet is
/// authenticated.
/// </summary>
internal sealed class SlotReplay(uint allowedFromEpoch)
{
    /// <summary>How many keys are accepted at one time: the newest, and the one before it.</summary>
    private const int KeysMax = 2;

    /// <summary>The most windows of one slot: one for each key and class.</summary>
    public const int WindowsMax = KeysMax * PacketLayout.ClassCount;

    private readonly Epoch[] _epochs = [new(), new()];

    /// <summary>
    /// The first key epoch under which the slot may seal: reassigning a slot must not make its previous owner's packets valid again.
    /// </summary>
    public uint AllowedFromEpoch { get; } = allowedFromEpoch;

    /// <summary>False when there is a window and the number was seen or is too old.</summary>
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

        // At most two epochs are live, and epochs only grow: the lower of the two held is over.
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
