using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// Assembles messages whose parts arrive in several packets. Bounded in bytes and in messages. The room of one message is reserved for the
/// next packet in sequence: at most one message is unfinished there, so that packet always fits and the stream never blocks itself.
/// </summary>
internal sealed class MessageAssembler : IDisposable
{
    private readonly int _bytesMax;
    private readonly int _countMax;
    // The unfinished ones first, then the free ones, starting with the one used last.
    private readonly Assembly[] _assemblies;
    private readonly AssemblyBuffers _buffers;
    private readonly ulong[] _ids;
    private int _spoiled;
    private bool _isDisposed;

    public MessageAssembler(CoreLoop core, StreamOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.AssemblyBytesMax, 2 * WireLimits.MessageBytesMax, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.AssemblyCountMax, 2, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.AssemblyCountMax, 2 * ReceiveWindow.Packets, nameof(options));
        _bytesMax = options.AssemblyBytesMax;
        _countMax = options.AssemblyCountMax;
        // One more than the limit: a packet may begin one message and then complete another.
        _buffers = AssemblyBuffers.Of(core);
        _assemblies = _buffers.RentAssemblies(options.AssemblyCountMax + 1);
        _ids = new ulong[_assemblies.Length];
    }

    public static void AddMemory(MemoryBudget budget, StreamOptions options)
    {
        const int EachBytes = Assembly.RoomBytes + Assembly.ObjectBytes + (2 * sizeof(ulong));
        budget.Add(MemoryScope.Region, MemoryKind.Fixed, "stream: messages in assembly", options.AssemblyCountMax + 1, EachBytes);
        budget.Add(
            MemoryScope.Process, MemoryKind.Fixed, "stream: assembly kept for the next region", options.AssemblyCountMax + 1, EachBytes);
    }

    /// <summary>How many messages are unfinished.</summary>
    public int Count { get; private set; }

    /// <summary>The bytes of the unfinished messages, whether arrived or not.</summary>
    public int HeldBytes { get; private set; }

    /// <summary>
    /// Whether a part can be taken, and how much room it needs or frees. Does not take it. What contradicts parts that are held is
    /// malformed, but not in the next packet: one of the two is not the sender's, and the stream does not wait behind it. The next packet
    /// counts.
    /// </summary>
    public ReceiveStatus Examine(in MessagePart part, bool isNext, ref Need need)
    {
        int index = IndexOf(part.MessageId);
        if (index >= 0)
        {
            Assembly assembly = _assemblies[index];
            ReceiveStatus status = assembly.Examine(part);
            if (status == ReceiveStatus.Accepted && assembly.WouldComplete(part))
            {
                need.Bytes -= (int)part.Total;
                need.Count--;
            }

            if (status == ReceiveStatus.Accepted || !isNext)
            {
                return status;
            }

            need.Bytes -= (int)assembly.Total;
            need.Count--;
        }

        if (!IsOrphan(part, isNext))
        {
            need.Bytes += (int)part.Total;
            need.Count++;
        }

        return ReceiveStatus.Accepted;
    }

    /// <summary>Whether there is room for all parts of one packet together.</summary>
    public bool HasRoom(in Need need, bool isNext)
    {
        int bytesMax = isNext ? _bytesMax : _bytesMax - WireLimits.MessageBytesMax;
        int countMax = isNext ? _countMax : _countMax - 1;
        return (need.Bytes <= 0 || HeldBytes + need.Bytes <= bytesMax) && (need.Count <= 0 || Count + need.Count <= countMax);
    }

    /// <summary>
    /// Takes a part, and gives up what is held of the message if the two contradict each other: that also shows in a packet with two parts
    /// of one message. Returns the message when it is complete; the caller must call <see cref="Assembly.End"/> on it before it passes
    /// another part.
    /// </summary>
    public Assembly? Take(in MessagePart part, ulong sequence, bool isNext)
    {
        int index = IndexOf(part.MessageId);
        if (index >= 0 && _assemblies[index].Examine(part) != ReceiveStatus.Accepted)
        {
            Assembly spoiled = _assemblies[index];
            RemoveAt(index);
            spoiled.End();
            _spoiled++;
            index = -1;
        }

        if (index < 0)
        {
            if (IsOrphan(part, isNext))
            {
                return null;
            }

            index = Count++;
            _ids[index] = part.MessageId;
            _assemblies[index].Begin(part);
            HeldBytes += (int)part.Total;
        }

        Assembly assembly = _assemblies[index];
        assembly.Add(part, sequence);
        if (!assembly.IsComplete)
        {
            return null;
        }

        RemoveAt(index);
        return assembly;
    }

    /// <summary>
    /// Abandons the messages that can no longer complete, now that everything up to a sequence arrived or was skipped; returns how many
    /// were abandoned since it was last called. The parts of a message are in consecutive packets: it cannot complete once the packet after
    /// its last part has passed, or once everything up to that part has and it still has a hole.
    /// </summary>
    public int Sweep(ulong contiguous)
    {
        int dropped = _spoiled;
        _spoiled = 0;
        // While packets arrive in order there is only one message, and it continues.
        if (Count == 0 || (Count == 1 && _assemblies[0].SequenceMax == contiguous && !_assemblies[0].HasHole))
        {
            return dropped;
        }

        for (int i = Count - 1; i >= 0; i--)
        {
            Assembly assembly = _assemblies[i];
            if (assembly.SequenceMax < contiguous || (assembly.SequenceMax == contiguous && assembly.HasHole))
            {
                RemoveAt(i);
                assembly.End();
                dropped++;
            }
        }

        return dropped;
    }

    public void Dispose()
    {
        if (_isDisposed)
        {
            return;
        }

        _isDisposed = true;
        for (int i = 0; i < Count; i++)
        {
            _assemblies[i].End();
        }

        Count = 0;
        HeldBytes = 0;
        _buffers.ReturnAssemblies(_assemblies);
    }

    /// <summary>
    /// A later part without an assembly, although nothing before it is missing: its message began before the first sequence owed, or was
    /// abandoned.
    /// </summary>
    private static bool IsOrphan(in MessagePart part, bool isNext) => isNext && part.Offset > 0;

    private int IndexOf(ulong messageId)
    {
        // The newest message is checked first: the next packet usually continues it.
        int last = Count - 1;
        return last < 0 || _ids[last] == messageId ? last : _ids.AsSpan(0, last).IndexOf(messageId);
    }

    private void RemoveAt(int index)
    {
        HeldBytes -= (int)_assemblies[index].Total;
        Count--;
        (_assemblies[index], _assemblies[Count]) = (_assemblies[Count], _assemblies[index]);
        _ids[index] = _ids[Count];
    }

    /// <summary>The room that the parts of one packet need.</summary>
    internal struct Need
    {
        public int Bytes;
        public int Count;
    }
}
