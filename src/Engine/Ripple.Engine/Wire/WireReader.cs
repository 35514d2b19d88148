using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;
using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>
/// Reads little-endian values from a span. After the first failure every read returns zeros, so a decoder can read on and check
/// <see cref="Status"/> once, before it trusts a count or returns.
/// </summary>
internal ref struct WireReader
{
    private static readonly UTF8Encoding Utf8 = new(false, true);
    private ReadOnlySpan<byte> _rest;

    /// <summary>Starts at the beginning of the bytes.</summary>
    public WireReader(ReadOnlySpan<byte> bytes)
    {
        _rest = bytes;
        Status = DecodeStatus.Ok;
    }

    /// <summary>The first failure; Ok while there was none.</summary>
    public DecodeStatus Status { get; private set; }

    /// <summary>True while nothing failed.</summary>
    public readonly bool IsOk => Status == DecodeStatus.Ok;

    /// <summary>How many bytes were not read yet; 0 after a failure.</summary>
    public readonly int RemainingBytes => _rest.Length;

    /// <summary>Reports an invalid value. The first failure is kept.</summary>
    public void Fail(DecodeStatus status = DecodeStatus.Malformed)
    {
        if (Status == DecodeStatus.Ok)
        {
            Status = status;
        }

        _rest = default;
    }

    /// <summary>The status at the end of a message: bytes left over make it malformed.</summary>
    public DecodeStatus End()
    {
        if (IsOk && _rest.Length > 0)
        {
            Fail();
        }

        return Status;
    }

    /// <summary>Reads a byte.</summary>
    public byte ReadU8()
    {
        ReadOnlySpan<byte> b = ReadBytes(1);
        return b.IsEmpty ? (byte)0 : b[0];
    }

    /// <summary>Reads a byte that is 0 or 1.</summary>
    public bool ReadBool()
    {
        byte value = ReadU8();
        if (value > 1)
        {
            Fail();
        }

        return value == 1;
    }

    /// <summary>Reads two bytes.</summary>
    public ushort ReadU16()
    {
        ReadOnlySpan<byte> b = ReadBytes(2);
        return b.IsEmpty ? (ushort)0 : BinaryPrimitives.ReadUInt16LittleEndian(b);
    }

    /// <summary>Reads four bytes.</summary>
    public uint ReadU32()
    {
        ReadOnlySpan<byte> b = ReadBytes(4);
        return b.IsEmpty ? 0 : BinaryPrimitives.ReadUInt32LittleEndian(b);
    }

    /// <summary>Reads eight bytes.</summary>
    public ulong ReadU64()
    {
        ReadOnlySpan<byte> b = ReadBytes(8);
        return b.IsEmpty ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(b);
    }

    /// <summary>Reads eight bytes, signed.</summary>
    public long ReadI64() => unchecked((long)ReadU64());

    /// <summary>Reads a given number of bytes, in place; empty after a failure.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> ReadBytes(int count)
    {
        if ((uint)count > (uint)_rest.Length)
        {
            Fail(DecodeStatus.Truncated);
            return default;
        }

        ReadOnlySpan<byte> taken = _rest[..count];
        _rest = _rest[count..];
        return taken;
    }

    /// <summary>Reads all remaining bytes, in place.</summary>
    public ReadOnlySpan<byte> ReadRest() => ReadBytes(_rest.Length);

    /// <summary>Reads bytes preceded by a two-byte length, in place.</summary>
    public ReadOnlySpan<byte> ReadBlock16(int bytesMax = ushort.MaxValue) => ReadBlock(ReadU16(), bytesMax);

    /// <summary>Reads bytes preceded by a four-byte length, in place.</summary>
    public ReadOnlySpan<byte> ReadBlock32(int bytesMax)
    {
        uint length = ReadU32();
        return length > int.MaxValue ? ReadBlock(int.MaxValue, bytesMax) : ReadBlock((int)length, bytesMax);
    }

    /// <summary>Reads text preceded by a one-byte length; strict UTF-8. Empty after a failure.</summary>
    public string ReadText8() => Decode(ReadBlock(ReadU8(), byte.MaxValue));

    /// <summary>Reads text preceded by a two-byte length; strict UTF-8. Empty after a failure.</summary>
    public string ReadText16(int bytesMax = ushort.MaxValue) => Decode(ReadBlock(ReadU16(), bytesMax));

    /// <summary>
    /// Reads a two-byte count whose items take at least <paramref name="itemBytesMin"/> bytes each: a count that the remaining bytes cannot
    /// hold is a failure, so that a false count allocates nothing.
    /// </summary>
    public int ReadCount16(int itemBytesMin, int countMax = ushort.MaxValue)
    {
        int count = ReadU16();
        if (count > countMax || (long)count * itemBytesMin > _rest.Length)
        {
            Fail(count > countMax ? DecodeStatus.Malformed : DecodeStatus.Truncated);
            return 0;
        }

        return count;
    }

    /// <summary>Reads a node address: 16 bytes and a port.</summary>
    public NodeAddress ReadAddress()
    {
        ulong high = ReadU64();
        ulong low = ReadU64();
        return new NodeAddress(high, low, ReadU16());
    }

    private ReadOnlySpan<byte> ReadBlock(int length, int bytesMax)
    {
        if (length > bytesMax)
        {
            Fail();
            return default;
        }

        return ReadBytes(length);
    }

    private string Decode(ReadOnlySpan<byte> bytes)
    {
        // Validity is checked first: decoders do not throw, and a strict encoding would.
        if (!System.Text.Unicode.Utf8.IsValid(bytes))
        {
            Fail();
            return string.Empty;
        }

        return Utf8.GetString(bytes);
    }
}

/// <summary>The result of decoding. Decoders never throw, whatever the bytes.</summary>
internal enum DecodeStatus
{
    /// <summary>Well formed; nothing was left over.</summary>
    Ok,

    /// <summary>The bytes end before the message does.</summary>
    Truncated,

    /// <summary>A length, a count, a text or a value that this version does not allow, or bytes after the end.</summary>
    Malformed,

    /// <summary>A version this build does not know.</summary>
    UnknownVersion,
}
