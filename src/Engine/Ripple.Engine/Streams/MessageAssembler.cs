using System.Buffers;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// Puts messages together whose parts came in several packets. Bytes and messages are bounded. The room of one message is kept for the packet that
/// continues the contiguous ones: at most one message is unfinished there, so that packet always fits and the stream never waits for itself, nor for others of its core.
/// </summary>
internal sealed class MessageAssembler : IDisposable
{
    private readonly int _bytesMax;
    private readonly int _countMax;
    private readonly ArrayPool<byte> _pool;
    private readonly Assembly[] _active;
    private readonly AssemblyPool _assemblies;
    // For the packet that comes next, whatever the others of the core have taken.
    private readonly Assembly _own;
    private bool _isOwnFree = true;
    private bool _isDisposed;

    /// <param name="core">The core.</param>
    /// <param name="options">The bounds.</param>
    /// <param name="pool">Where buffers come from; null for those of the core.</param>
    public MessageAssembler(CoreLoop core, StreamOptions options, ArrayPool<byte>? pool)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.AssemblyBytesMax, 2 * WireLimits.MessageBytesMax, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.AssemblyCountMax, 2, nameof(options));
        _bytesMax = options.AssemblyBytesMax;
        _countMax = options.AssemblyCountMax;
        // One more than the limit: a packet may begin one message and then complete another.
        _active = new Assembly[options.AssemblyCountMax + 1];
        _assemblies = AssemblyPool.Join(core, out _own);
        _pool = pool ?? _assemblies.Buffers;
    }

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
            Assembly assembly = _active[index];
            ReceiveStatus status = assembly.Examine(part);
            if (status == ReceiveStatus.Accepted && assembly.WouldComplete(part))
            {
                need.Bytes -= (int)part.Total;
                need.Count--;
                need.Taken -= isNext || !ReferenceEquals(assembly, _own) ? 1 : 0;
            }

            return status;
        }

        if (!IsOrphan(part, isNext))
        {
            need.Bytes += (int)part.Total;
            need.Count++;
            need.Taken++;
            need.TakenMax = Math.Max(need.TakenMax, need.Taken);
        }

        return ReceiveStatus.Accepted;
    }

    /// <summary>Whether there is room for what the parts of one packet need together.</summary>
    public bool HasRoom(in Need need, bool isNext)
    {
        int bytesMax = isNext ? _bytesMax : _bytesMax - WireLimits.MessageBytesMax;
        int countMax = isNext ? _countMax : _countMax - 1;
        int free = _assemblies.FreeCount + (isNext && _isOwnFree ? 1 : 0);
        return (need.Bytes <= 0 || HeldBytes + need.Bytes <= bytesMax) && (need.Count <= 0 || Count + need.Count <= countMax) && need.TakenMax <= free;
    }

    /// <summary>Takes a part. Gives the message when it is complete: the caller's, until it calls <see cref="Release"/>.</summary>
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
            _active[index] = TakeFree(isNext);
            _active[index].Begin(part, _pool);
            HeldBytes += (int)part.Total;
        }

        Assembly assembly = _active[index];
        assembly.Add(part, sequence);
        if (!assembly.IsComplete)
        {
            return null;
        }

        RemoveAt(index);
        return assembly;
    }

    /// <summary>Ends a message that <see cref="Take"/> gave.</summary>
    public void Release(Assembly assembly)
    {
        assembly.End(_pool);
        if (!ReferenceEquals(assembly, _own))
        {
            _assemblies.Return(assembly);
            return;
        }

        _isOwnFree = true;
        LeaveWhenOver();
    }

    /// <summary>Gives up what can no longer complete, now that everything up to a sequence arrived or was skipped; returns how many messages. The parts
    /// of a message stand in consecutive packets: one whose next packet has passed, or whose earlier ones all have, gets no more.</summary>
    public int Sweep(ulong contiguous)
    {
        // In order there is one, and it goes on.
        if (Count == 0 || (Count == 1 && _active[0].SequenceMax == contiguous && !_active[0].HasHole))
        {
            return 0;
        }

        int dropped = 0;
        for (int i = Count - 1; i >= 0; i--)
        {
            Assembly assembly = _active[i];
            if (assembly.SequenceMax < contiguous || (assembly.SequenceMax == contiguous && assembly.HasHole))
            {
                RemoveAt(i);
                Release(assembly);
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

        for (int i = 0; i < Count; i++)
        {
            Release(_active[i]);
        }

        Count = 0;
        HeldBytes = 0;
        _isDisposed = true;
        LeaveWhenOver();
    }

    /// <summary>A later part whose earlier parts all came before, or never will: its message began before the first sequence owed, or was given up.</summary>
    private static bool IsOrphan(in MessagePart part, bool isNext) => isNext && part.Offset > 0;

    private int IndexOf(ulong messageId)
    {
        // What came last is asked first: the next packet goes on with it.
        int last = Count - 1;
        return last < 0 || _active[last].MessageId == messageId ? last : IndexOf(messageId, last - 1);
    }

    private int IndexOf(ulong messageId, int last)
    {
        for (int i = last; i >= 0; i--)
        {
            if (_active[i].MessageId == messageId)
            {
                return i;
            }
        }

        return -1;
    }

    private void RemoveAt(int index)
    {
        HeldBytes -= (int)_active[index].Total;
        Count--;
        _active[index] = _active[Count];
    }

    /// <summary>Whoever takes a message may dispose of the receiver: then what that message was in is the last to come back.</summary>
    private void LeaveWhenOver()
    {
        if (_isDisposed && _isOwnFree)
        {
            _assemblies.Leave(_own);
        }
    }

    private Assembly TakeFree(bool isNext)
    {
        if (!isNext || !_isOwnFree)
        {
            return _assemblies.Take();
        }

        _isOwnFree = false;
        return _own;
    }

    /// <summary>The room that the parts of one packet need, one after the other.</summary>
    internal struct Need
    {
        public int Bytes;
        public int Count;

        /// <summary>Of the assemblies that this packet may take: those it takes less those it gives back.</summary>
        public int Taken;

        /// <summary>The most that <see cref="Taken"/> is on the way: a packet may begin one message and then complete another.</summary>
        public int TakenMax;
    }
}
