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

    /// <summary>False when there is a window and the number was seen, is too old, or too far ahead.</summary>
    public bool IsFresh(in PacketHeader header) => Find(header)?.IsFresh(header.Number) != false;

    /// <inheritdoc cref="ReplayWindow.MustProve"/>
    public bool MustProve(in PacketHeader header, long nowNs) => Find(header)?.MustProve(header.Number, nowNs) == true;

    /// <inheritdoc cref="RefusedRun.IsDeafAfter"/>
    public bool IsDeafAfter(in PacketHeader header, long nowNs) => Find(header)?.IsDeafAfter(header.Number, nowNs) == true;

    /// <summary>Marks the number of an authenticated packet.</summary>
    public void Mark(in PacketHeader header)
    {
        Epoch epoch = EpochOf(header.KeyEpoch);
        (epoch.Windows[(int)header.Class] ??= new ReplayWindow()).Mark(header.Number);
    }

    private ReplayWindow? Find(in PacketHeader header)
    {
        foreach (Epoch epoch in _epochs)
        {
            if (epoch.KeyEpoch == header.KeyEpoch)
            {
                return epoch.Windows[(int)header.Class];
            }
        }

        return null;
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
