using System.Runtime.CompilerServices;
using Ripple.Engine.Memory;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// The packets a sender keeps for repair: the frames of each sequence above the floor. Slots come from a stack of free ones, in blocks
/// allocated when the window first needs them, so that memory follows the most packets ever outstanding, not the size of the window.
/// </summary>
internal sealed class SendWindow
{
    private const int SlotsPerBlock = 32;
    private const int SlotBytes = WireLimits.FramesBytesMax;
    private readonly byte[]?[] _blocks;
    private readonly Entry[] _entries;
    private readonly int[] _free;
    private int _freeCount;

    public SendWindow(int packets)
    {
        _entries = new Entry[packets];
        _blocks = new byte[]?[BlocksOf(packets)];
        _free = new int[packets];
        for (int i = packets - 1; i >= 0; i--)
        {
            _free[_freeCount++] = i;
        }
    }

    public static void AddMemory(MemoryBudget budget, int packets)
    {
        budget.Add(MemoryScope.Region, MemoryKind.Fixed, "stream: index of the send window", packets, Unsafe.SizeOf<Entry>() + sizeof(int));
        budget.Add(
            MemoryScope.Region, MemoryKind.Retained, "stream: packets kept for repair", BlocksOf(packets) * SlotsPerBlock, SlotBytes);
    }

    /// <summary>Everything up to here was freed.</summary>
    public ulong Floor { get; private set; }

    public ulong Highest { get; private set; }

    public bool IsFull => Highest - Floor == (ulong)_entries.Length;

    public bool Contains(ulong sequence) => sequence > Floor && sequence <= Highest;

    /// <summary>Stores the next packet; the window must not be full.</summary>
    public void Add(ReadOnlySpan<byte> frames, long nowNs)
    {
        int slot = _free[--_freeCount];
        Highest++;
        _entries[(int)(Highest % (ulong)_entries.Length)] = new Entry(slot, frames.Length, nowNs);
        byte[] block = _blocks[slot / SlotsPerBlock] ??= new byte[SlotsPerBlock * SlotBytes];
        frames.CopyTo(block.AsSpan(slot % SlotsPerBlock * SlotBytes));
    }

    /// <summary>The frames of a packet in the window.</summary>
    public ReadOnlySpan<byte> this[ulong sequence]
    {
        get
        {
            Entry entry = _entries[(int)(sequence % (ulong)_entries.Length)];
            return _blocks[entry.Slot / SlotsPerBlock].AsSpan(entry.Slot % SlotsPerBlock * SlotBytes, entry.FramesBytes);
        }
    }

    /// <summary>When a packet in the window was sent.</summary>
    public long SentNs(ulong sequence) => _entries[(int)(sequence % (ulong)_entries.Length)].SentNs;

    /// <summary>Frees everything up to a sequence, which must not be above the highest.</summary>
    public void ReleaseTo(ulong floor)
    {
        while (Floor < floor)
        {
            Floor++;
            _free[_freeCount++] = _entries[(int)(Floor % (ulong)_entries.Length)].Slot;
        }
    }

    private static int BlocksOf(int packets) => (packets + SlotsPerBlock - 1) / SlotsPerBlock;

    private readonly record struct Entry(int Slot, int FramesBytes, long SentNs);
}
