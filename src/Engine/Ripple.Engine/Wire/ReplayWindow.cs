using Ripple.Engine.Core;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Wire;

/// <summary>
/// Tracks which of the newest <see cref="Size"/> numbers of one sealer and class were seen. Older ones are refused, seen or not, and so
/// are numbers too far ahead: one packet cannot shut out all that are honest for long. Core thread.
/// </summary>
internal sealed class ReplayWindow
{
    /// <summary>
    /// How many numbers are tracked, including the newest: as many packets as a sender's window has, so that none that this member still
    /// misses is too old, however late the path makes it.
    /// </summary>
    public const int Size = 2_048;

    /// <summary>How far ahead of the newest a number may be. The first of a window may be any: a joiner knows no counts.</summary>
    public const ulong LeapMax = 1UL << 20;

    /// <summary>The memory of one window: the object, its bits, and its share of the table that holds it.</summary>
    internal const int Bytes = MemoryBudget.ObjectBytes + 48 + MemoryBudget.ArrayBytes + (Size / 8) + 40;

    private readonly ulong[] _seen = new ulong[Size / 64];
    private ulong _newest;
    private RefusedRun _refused;

    /// <summary>True when the number was not seen and is not too old. Numbers count from 1; 0 is never fresh.</summary>
    public bool IsFresh(ulong number)
    {
        if (number > _newest)
        {
            return _newest == 0 || number - _newest <= LeapMax;
        }

        return number != 0 && _newest - number < Size && (_seen[Word(number)] & Bit(number)) == 0;
    }

    /// <summary>
    /// Marks a fresh number as seen. Call only after its packet was authenticated: a forged number would push the window past the honest
    /// ones.
    /// </summary>
    public void Mark(ulong number)
    {
        if (number > _newest)
        {
            if (number - _newest >= Size)
            {
                Array.Clear(_seen);
            }
            else
            {
                // The bits form a ring: those of numbers that leave the window must not count for numbers that enter it.
                for (ulong n = _newest + 1; n < number; n++)
                {
                    _seen[Word(n)] &= ~Bit(n);
                }
            }

            _newest = number;
        }

        _seen[Word(number)] |= Bit(number);
    }

    /// <summary>Counts a number that is not fresh; true if its packet should be authenticated before <see cref="IsDeafAfter"/>.</summary>
    public bool MustProve(ulong number, long nowNs) =>
        // What was seen within the window is a repetition, and says nothing.
        (number > _newest || _newest - number >= Size) && _refused.MustProve(number, nowNs);

    /// <inheritdoc cref="RefusedRun.IsDeafAfter"/>
    public bool IsDeafAfter(ulong number, long nowNs) => _refused.IsDeafAfter(number, nowNs);

    /// <summary>Forgets everything, for another key epoch.</summary>
    internal void Clear()
    {
        Array.Clear(_seen);
        _newest = 0;
        _refused = default;
    }

    private static int Word(ulong number) => (int)(number % Size / 64);

    private static ulong Bit(ulong number) => 1UL << (int)(number % 64);
}

/// <summary>
/// Notices that a sealer's packets are refused although they are genuine: somebody else who holds the key has counted ahead in its name.
/// Counts, over a minute, genuine packets of one sealer and class that lie outside of the replay window, and nothing else: what is opened
/// under the sealer's slot may all be the other's, and must not be able to outweigh them. Core thread.
/// </summary>
internal struct RefusedRun
{
    /// <summary>How long refusals must go on.</summary>
    public const long DeafNs = 2_000_000_000;

    /// <summary>After this time, counting starts over.</summary>
    private const long RunNs = 60_000_000_000;

    /// <summary>
    /// The shortest time between two that are counted: those that one delay on the way has made late count as one, and few are
    /// authenticated only to be refused.
    /// </summary>
    private const long ProbeNs = 500_000_000;

    private const int ProvedMin = 4;

    private long _sinceNs;
    private long _provedNs;
    private ulong _newest;
    private int _proved;

    /// <summary>
    /// True if a packet outside of the window, with this number, should be authenticated. The same one again says nothing.
    /// </summary>
    public readonly bool MustProve(ulong number, long nowNs) =>
        _proved == 0 || (number != _newest && nowNs - _provedNs >= ProbeNs);

    /// <summary>Counts one that is genuine, or a member's; true if the sealer is not heard any more. Counting then starts over.</summary>
    public bool IsDeafAfter(ulong number, long nowNs)
    {
        if (nowNs - _sinceNs > RunNs)
        {
            _proved = 0;
        }

        _sinceNs = _proved == 0 ? nowNs : _sinceNs;
        _provedNs = nowNs;
        _newest = number;
        if (++_proved < ProvedMin || nowNs - _sinceNs < DeafNs)
        {
            return false;
        }

        this = default;
        return true;
    }
}

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
