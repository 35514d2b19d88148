using Ripple.Engine.Streams;

namespace Ripple.Engine.Caching;

/// <summary>
/// The frames of packets that this member keeps for others, in one ring of bytes: until the floor has passed them, or until there is no
/// more room; then the oldest goes first. The ring is small at first, so that a quiet region holds next to nothing, and grows once, to its
/// bound: what it takes is settled with the first packets that wait for the floor. Core thread.
/// </summary>
/// <param name="bytesMax">The most bytes of frames; at least one packet's.</param>
internal sealed class PacketCache(int bytesMax)
{
    /// <summary>The most packets kept; a power of two.</summary>
    public const int PacketsMax = 1_024;

    private const int FirstBytes = 16 * 1_024;
    private const int Mask = PacketsMax - 1;
    // Of two packets above the floor none has the place of the other here: a sender's window is no longer.
    private const int SequenceMask = StreamReceiver.WindowPackets - 1;
    private byte[] _bytes = [];
    private Place[] _places = [];
    // The newest place of a packet with these low bits of its sequence.
    private ushort[] _placeOf = [];
    private uint _first;
    private uint _end;
    private int _endBytes;

    /// <summary>Packets kept.</summary>
    public int Count => (int)(_end - _first);

    /// <summary>The bytes that are allocated for frames.</summary>
    public int CapacityBytes => _bytes.Length;

    /// <summary>Keeps a packet.</summary>
    public void Add(ulong sequence, ReadOnlySpan<byte> frames)
    {
        if (frames.Length > bytesMax)
        {
            return;
        }

        if (_places.Length == 0)
        {
            _places = new Place[PacketsMax];
            _placeOf = new ushort[SequenceMask + 1];
        }

        int start;
        while (!TryPlace(frames.Length, out start))
        {
            if (_bytes.Length < bytesMax)
            {
                Grow(frames.Length);
            }
            else
            {
                _first++;
            }
        }

        frames.CopyTo(_bytes.AsSpan(start));
        _places[_end & Mask] = new Place(sequence, start, frames.Length);
        _placeOf[sequence & SequenceMask] = (ushort)(_end & Mask);
        _end++;
        _endBytes = start + frames.Length;
    }

    /// <summary>The frames of a packet, valid until the next call; empty if it is not kept.</summary>
    public ReadOnlySpan<byte> Find(ulong sequence)
    {
        if (Count == 0)
        {
            return default;
        }

        uint place = _placeOf[sequence & SequenceMask];
        bool isKept = ((place - _first) & Mask) < (uint)Count && _places[place].Sequence == sequence;
        return isKept ? _bytes.AsSpan(_places[place].Start, _places[place].Length) : default;
    }

    /// <summary>All members have everything up to the floor.</summary>
    public void Free(ulong floor)
    {
        while (Count > 0 && _places[_first & Mask].Sequence <= floor)
        {
            _first++;
        }

        // From the start again: what a quiet region uses of the ring stays small, and in the processor's caches.
        _endBytes = Count == 0 ? 0 : _endBytes;
    }

    /// <summary>Keeps nothing of what it kept.</summary>
    public void Clear()
    {
        _first = _end;
        _endBytes = 0;
    }

    /// <summary>Finds room behind the newest packet, or at the start of the ring.</summary>
    private bool TryPlace(int bytes, out int start)
    {
        start = _endBytes;
        if (Count == PacketsMax)
        {
            return false;
        }

        if (Count == 0)
        {
            start = 0;
            return bytes <= _bytes.Length;
        }

        int oldest = _places[_first & Mask].Start;
        if (_endBytes > oldest)
        {
            if (bytes <= _bytes.Length - _endBytes)
            {
                return true;
            }

            start = 0;
        }

        return bytes <= oldest - start;
    }

    private void Grow(int bytes)
    {
        if (Count == PacketsMax)
        {
            _first++;
            return;
        }

        // Not cleared: only what was written is read.
        bool isFirst = _bytes.Length == 0 && bytes <= FirstBytes;
        byte[] larger = GC.AllocateUninitializedArray<byte>(isFirst ? Math.Min(bytesMax, FirstBytes) : bytesMax);
        int end = 0;
        for (uint i = _first; i != _end; i++)
        {
            ref Place place = ref _places[i & Mask];
            _bytes.AsSpan(place.Start, place.Length).CopyTo(larger.AsSpan(end));
            place = place with { Start = end };
            end += place.Length;
        }

        _bytes = larger;
        _endBytes = end;
    }

    private readonly record struct Place(ulong Sequence, int Start, int Length);
}
