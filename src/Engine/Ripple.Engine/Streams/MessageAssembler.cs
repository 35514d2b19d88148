using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// Puts messages together whose parts came in several packets. Bytes and messages are bounded. The room of one message is kept for the
/// packet that continues the contiguous ones: at most one message is unfinished there, so that packet always fits and the stream never
/// waits for itself.
/// </summary>
internal sealed class MessageAssembler : IDisposable
{
    private readonly int _bytesMax;
    private readonly int _countMax;
    // The unfinished ones first, then those that are free, the one used last in front.
    private readonly Assembly[] _assemblies;
    private readonly ulong[] _ids;

    public MessageAssembler(CoreLoop core, StreamOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.AssemblyBytesMax, 2 * WireLimits.MessageBytesMax, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.AssemblyCountMax, 2, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.AssemblyCountMax, 2 * ReceiveWindow.Packets, nameof(options));
        _bytesMax = options.AssemblyBytesMax;
        _countMax = options.AssemblyCountMax;
        // One more than the limit: a packet may begin one message and then complete another.
        _assemblies = new Assembly[options.AssemblyCountMax + 1];
        _ids = new ulong[_assemblies.Length];
        // Made here and not as packets are lost. Nothing is written to it: what is never needed takes addresses, and no memory.
        byte[] rooms = GC.AllocateUninitializedArray<byte>(_assemblies.Length * Assembly.RoomBytes);
        for (int i = 0; i < _assemblies.Length; i++)
        {
            _assemblies[i] = new Assembly(rooms, i * Assembly.RoomBytes, AssemblyBuffers.Of(core));
        }
    }

    public static void AddMemory(MemoryBudget budget, StreamOptions options) => budget.Add(
        MemoryScope.Region,
        MemoryKind.Fixed,
        "stream: messages in assembly",
        options.AssemblyCountMax + 1,
        Assembly.RoomBytes + Assembly.ObjectBytes + (2 * sizeof(ulong)));

    /// <summary>How many messages are unfinished.</summary>
    public int Count { get; private set; }

    /// <summary>The bytes of the messages that are unfinished, present or not.</summary>
    public int HeldBytes { get; private set; }

    /// <summary>Whether a part can be taken, and what room it needs or gives. Takes nothing.</summary>
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

            return status;
        }

        if (!IsOrphan(part, isNext))
        {
            need.Bytes += (int)part.Total;
            need.Count++;
        }

        return ReceiveStatus.Accepted;
    }

    /// <summary>Whether there is room for what the parts of one packet need together.</summary>
    public bool HasRoom(in Need need, bool isNext)
    {
        int bytesMax = isNext ? _bytesMax : _bytesMax - WireLimits.MessageBytesMax;
        int countMax = isNext ? _countMax : _countMax - 1;
        return (need.Bytes <= 0 || HeldBytes + need.Bytes <= bytesMax) && (need.Count <= 0 || Count + need.Count <= countMax);
    }

    /// <summary>
    /// Takes a part. Gives the message when it is complete: the caller's, until it calls <see cref="Assembly.End"/>, which is before it
    /// gives another part.
    /// </summary>
    public Assembly? Take(in MessagePart part, ulong sequence, bool isNext)
    {
        int index = IndexOf(part.MessageId);
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
    /// Gives up what can no longer complete, now that everything up to a sequence arrived or was skipped; returns how many messages. The
    /// parts of a message stand in consecutive packets: one whose next packet has passed, or whose earlier ones all have, gets no more.
    /// </summary>
    public int Sweep(ulong contiguous)
    {
        // In order there is one, and it goes on.
        if (Count == 0 || (Count == 1 && _assemblies[0].SequenceMax == contiguous && !_assemblies[0].HasHole))
        {
            return 0;
        }

        int dropped = 0;
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
        for (int i = 0; i < Count; i++)
        {
            _assemblies[i].End();
        }

        Count = 0;
        HeldBytes = 0;
    }

    /// <summary>
    /// A later part whose earlier parts all came before, or never will: its message began before the first sequence owed, or was given up.
    /// </summary>
    private static bool IsOrphan(in MessagePart part, bool isNext) => isNext && part.Offset > 0;

    private int IndexOf(ulong messageId)
    {
        // What came last is asked first: the next packet goes on with it.
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
