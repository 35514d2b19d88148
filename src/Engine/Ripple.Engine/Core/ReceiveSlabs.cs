namespace Ripple.Engine.Core;

/// <summary>
/// The receive buffers of one lane, allocated at startup. One is filled at a time and is reset when nothing in it waits, so that a core
/// that keeps up reuses the same memory.
/// </summary>
internal sealed class ReceiveSlabs
{
    private readonly Stack<ReceiveSlab> _free;
    private readonly int _slabBytes;

    public ReceiveSlabs(int slabBytes, int count)
    {
        _slabBytes = slabBytes;
        _free = new Stack<ReceiveSlab>(count);
        for (int i = 1; i < count; i++)
        {
            _free.Push(new ReceiveSlab(slabBytes));
        }

        Current = new ReceiveSlab(slabBytes);
    }

    /// <summary>The slab being filled.</summary>
    public ReceiveSlab Current { get; private set; }

    /// <summary>Makes <see cref="Current"/> a slab with that much room; false when none has it until waiting packets are handled.</summary>
    public bool TryMakeRoom(int bytes)
    {
        if (_slabBytes - Current.Used >= bytes)
        {
            return true;
        }

        if (bytes > _slabBytes)
        {
            throw new ArgumentOutOfRangeException(nameof(bytes), bytes, $"A receive slab has {_slabBytes} bytes.");
        }

        if (!_free.TryPop(out ReceiveSlab? next))
        {
            return false;
        }

        // Runs still wait in the old slab, or it would have been reset; the last of them returns it.
        Current = next;
        return true;
    }

    /// <summary>Releases one run of a slab.</summary>
    public void Release(ReceiveSlab slab)
    {
        if (--slab.Waiting > 0)
        {
            return;
        }

        slab.Used = 0;
        if (!ReferenceEquals(slab, Current))
        {
            _free.Push(slab);
        }
    }
}

/// <summary>A buffer into which datagrams are received one after another. Free again when all of them were handled.</summary>
internal sealed class ReceiveSlab(int bytes)
{
    public byte[] Bytes { get; } = new byte[bytes];

    /// <summary>The offset for the next datagram.</summary>
    public int Used { get; set; }

    /// <summary>The number of waiting packet runs in this slab.</summary>
    public int Waiting { get; set; }
}
