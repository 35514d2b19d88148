namespace Ripple.Engine.Core;

/// <summary>
/// The receive buffers of one lane, made at start. One is filled at a time; it starts over when nothing in it waits, so that a core which
/// keeps up uses the same memory again and again.
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

    /// <summary>The slab that is filled.</summary>
    public ReceiveSlab Current { get; private set; }

    /// <summary>Makes <see cref="Current"/> one with so much room; false when none has it before something was handled.</summary>
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

        // What is left in the old one waits, or it would have started over; its last run gives it back.
        Current = next;
        return true;
    }

    /// <summary>A run of a slab is done with.</summary>
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
