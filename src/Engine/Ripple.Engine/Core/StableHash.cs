namespace Ripple.Engine.Core;

/// <summary>
/// A 64-bit hash that is the same in every process and version (FNV-1a with a finalizer), for state hashes and hash tables of protocol
/// code. Not a digest: no trust may depend on it.
/// </summary>
internal struct StableHash
{
    private const ulong OffsetBasis = 14695981039346656037;
    private const ulong Prime = 1099511628211;
    private ulong _state;

    /// <summary>Creates an empty hash.</summary>
    public static StableHash Create() => new() { _state = OffsetBasis };

    /// <summary>The hash of everything added so far, in order.</summary>
    public readonly ulong Value
    {
        get
        {
            ulong state = _state;
            return DeterministicRandom.SplitMix(ref state);
        }
    }

    /// <summary>Adds bytes.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        ulong h = _state;
        foreach (byte b in bytes)
        {
            h = (h ^ b) * Prime;
        }

        _state = h;
    }

    /// <summary>Adds a number as eight bytes.</summary>
    public void Add(ulong value)
    {
        ulong h = _state;
        for (int shift = 0; shift < 64; shift += 8)
        {
            h = (h ^ (byte)(value >> shift)) * Prime;
        }

        _state = h;
    }

    /// <summary>Adds a number as eight bytes.</summary>
    public void Add(long value) => Add(unchecked((ulong)value));

    /// <summary>Adds text by UTF-16 code unit, after its length.</summary>
    public void Add(string text)
    {
        Add((ulong)text.Length);
        foreach (char c in text)
        {
            _state = (_state ^ c) * Prime;
        }
    }
}
