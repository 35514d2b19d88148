using System.Buffers.Binary;
using System.Text;
using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>
/// Writes little-endian values into a span. A value that does not fit sets <see cref="IsOverflow"/> and is left out along with all later
/// values: the caller checks once, at the end.
/// </summary>
internal ref struct WireWriter
{
    private readonly Span<byte> _buffer;

    /// <summary>Starts at the beginning of the buffer.</summary>
    public WireWriter(Span<byte> buffer) => _buffer = buffer;

    /// <summary>How many bytes were written.</summary>
    public int Position { get; private set; }

    /// <summary>True when a value did not fit: the bytes written are not a complete message.</summary>
    public bool IsOverflow { get; private set; }

    /// <summary>How many bytes still fit.</summary>
    public readonly int RoomBytes => IsOverflow ? 0 : _buffer.Length - Position;

    /// <summary>The bytes written so far.</summary>
    public readonly Span<byte> Written => _buffer[..Position];

    /// <summary>Reserves the next bytes for the caller to fill; empty when they do not fit.</summary>
    public Span<byte> Take(int count)
    {
        if (IsOverflow || count > _buffer.Length - Position)
        {
            IsOverflow = true;
            return default;
        }

        Span<byte> taken = _buffer.Slice(Position, count);
        Position += count;
        return taken;
    }

    /// <summary>Writes a byte.</summary>
    public void WriteU8(byte value)
    {
        Span<byte> b = Take(1);
        if (!b.IsEmpty)
        {
            b[0] = value;
        }
    }

    /// <summary>Writes a byte that is 0 or 1.</summary>
    public void WriteBool(bool value) => WriteU8(value ? (byte)1 : (byte)0);

    /// <summary>Writes two bytes.</summary>
    public void WriteU16(ushort value)
    {
        Span<byte> b = Take(2);
        if (!b.IsEmpty)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(b, value);
        }
    }

    /// <summary>Writes four bytes.</summary>
    public void WriteU32(uint value)
    {
        Span<byte> b = Take(4);
        if (!b.IsEmpty)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(b, value);
        }
    }

    /// <summary>Writes eight bytes.</summary>
    public void WriteU64(ulong value)
    {
        Span<byte> b = Take(8);
        if (!b.IsEmpty)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(b, value);
        }
    }

    /// <summary>Writes eight bytes, signed.</summary>
    public void WriteI64(long value) => WriteU64(unchecked((ulong)value));

    /// <summary>Writes bytes as they are.</summary>
    public void WriteBytes(ReadOnlySpan<byte> bytes)
    {
        Span<byte> b = Take(bytes.Length);
        if (!b.IsEmpty)
        {
            bytes.CopyTo(b);
        }
    }

    /// <summary>Writes bytes preceded by a two-byte length.</summary>
    public void WriteBlock16(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > ushort.MaxValue)
        {
            IsOverflow = true;
            return;
        }

        WriteU16((ushort)bytes.Length);
        WriteBytes(bytes);
    }

    /// <summary>Writes bytes preceded by a four-byte length.</summary>
    public void WriteBlock32(ReadOnlySpan<byte> bytes)
    {
        WriteU32((uint)bytes.Length);
        WriteBytes(bytes);
    }

    /// <summary>Writes text preceded by a one-byte length; longer text is an overflow.</summary>
    public void WriteText8(string text)
    {
        int length = Encoding.UTF8.GetByteCount(text);
        if (length > byte.MaxValue)
        {
            IsOverflow = true;
            return;
        }

        WriteU8((byte)length);
        WriteText(text, length);
    }

    /// <summary>Writes text preceded by a two-byte length; longer text is an overflow.</summary>
    public void WriteText16(string text)
    {
        int length = Encoding.UTF8.GetByteCount(text);
        if (length > ushort.MaxValue)
        {
            IsOverflow = true;
            return;
        }

        WriteU16((ushort)length);
        WriteText(text, length);
    }

    /// <summary>Writes a node address: 16 bytes and a port.</summary>
    public void WriteAddress(in NodeAddress address)
    {
        WriteU64(address.High);
        WriteU64(address.Low);
        WriteU16(address.Port);
    }

    private void WriteText(string text, int length)
    {
        Span<byte> b = Take(length);
        if (!b.IsEmpty)
        {
            Encoding.UTF8.GetBytes(text, b);
        }
    }
}
