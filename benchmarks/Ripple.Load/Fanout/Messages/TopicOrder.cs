namespace Ripple.Load.Fanout.Messages;

/// <summary>
/// The order of each topic at one receiver, restored above the stream: a piece whose turn it is passes by, one that is early is kept in a
/// fixed room until the ones before it came. Memory is taken from the system when it is first used, so that the room costs nothing while
/// nothing is lost. One thread.
/// </summary>
internal sealed class TopicOrder
{
    private const int None = -1;
    private readonly int _slotBytes;
    private readonly byte[] _room;
    private readonly Slot[] _slots;
    private readonly Topic[] _topics;
    private int _free;

    /// <param name="topics">How many topics there are.</param>
    /// <param name="slotBytes">The bytes of the largest piece.</param>
    /// <param name="slots">How many pieces may be early at one time, over all topics.</param>
    public TopicOrder(int topics, int slotBytes, int slots)
    {
        _slotBytes = slotBytes;
        _room = GC.AllocateUninitializedArray<byte>(checked(slotBytes * slots));
        _slots = new Slot[slots];
        for (int i = 0; i < slots; i++)
        {
            _slots[i].Next = i + 1 < slots ? i + 1 : None;
        }

        _topics = new Topic[topics];
        Array.Fill(_topics, new Topic { First = None, Last = None });
    }

    /// <summary>How many pieces wait for those before them.</summary>
    public int EarlyCount { get; private set; }

    /// <summary>The number of the piece whose turn it is.</summary>
    public ulong NextOf(uint topic) => _topics[topic].Next;

    /// <summary>
    /// True when the piece's turn is now: the caller delivers it, and then takes what follows by <see cref="TryTake"/>. False: it was kept.
    /// </summary>
    /// <exception cref="InvalidOperationException">There is no room, or the piece was there before: the stream broke its word.</exception>
    public bool IsTurn(uint topic, ulong number, ReadOnlySpan<byte> piece)
    {
        ref Topic own = ref _topics[topic];
        if (number == own.Next)
        {
            own.Next++;
            return true;
        }

        if (number < own.Next)
        {
            throw new InvalidOperationException($"Piece {number} of topic {topic} came a second time.");
        }

        Keep(ref own, number, piece);
        return false;
    }

    /// <summary>Takes the next piece of a topic when it was kept. The bytes stay until the next call.</summary>
    public bool TryTake(uint topic, out ReadOnlySpan<byte> piece)
    {
        ref Topic own = ref _topics[topic];
        int slot = own.First;
        if (slot == None || _slots[slot].Number != own.Next)
        {
            piece = default;
            return false;
        }

        piece = _room.AsSpan(slot * _slotBytes, _slots[slot].Bytes);
        own.Next++;
        own.First = _slots[slot].Next;
        if (own.First == None)
        {
            own.Last = None;
        }

        _slots[slot].Next = _free;
        _free = slot;
        EarlyCount--;
        return true;
    }

    private void Keep(ref Topic own, ulong number, ReadOnlySpan<byte> piece)
    {
        if (_free == None)
        {
            throw new InvalidOperationException(
                $"{EarlyCount} pieces are early, and there is no room for another: more than a window of the stream holds.");
        }

        int slot = _free;
        _free = _slots[slot].Next;
        piece.CopyTo(_room.AsSpan(slot * _slotBytes));
        EarlyCount++;
        int before = own.Last;
        if (before == None || _slots[before].Number > number)
        {
            // Seldom: a repair that does not fill the first gap.
            before = None;
            for (int i = own.First; i != None && _slots[i].Number < number; i = _slots[i].Next)
            {
                before = i;
            }
        }

        int after = before == None ? own.First : _slots[before].Next;
        _slots[slot] = new Slot { Number = number, Bytes = piece.Length, Next = after };
        if (before == None)
        {
            own.First = slot;
        }
        else
        {
            _slots[before].Next = slot;
        }

        if (after == None)
        {
            own.Last = slot;
        }
    }

    private struct Slot
    {
        public ulong Number;
        public int Bytes;
        public int Next;
    }

    private struct Topic
    {
        public ulong Next;
        public int First;
        public int Last;
    }
}
