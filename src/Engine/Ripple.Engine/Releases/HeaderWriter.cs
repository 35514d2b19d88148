using System.Buffers.Binary;

namespace Ripple.Engine.Releases;

/// <summary>Appends the fields of a header to a span that is known to be long enough.</summary>
internal ref struct HeaderWriter(Span<byte> destination)
{
    private readonly Span<byte> _destination = destination;

    public int Length { get; private set; }

    public void U8(int value) => _destination[Length++] = checked((byte)value);

    public void U16(int value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(_destination[Length..], checked((ushort)value));
        Length += 2;
    }

    public void U32(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(_destination[Length..], value);
        Length += 4;
    }

    public void U64(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(_destination[Length..], value);
        Length += 8;
    }

    public void Digest(Digest160 digest)
    {
        digest.Write(_destination[Length..]);
        Length += Digest160.Size;
    }

    public void Id(Guid id)
    {
        id.TryWriteBytes(_destination[Length..], bigEndian: true, out int written);
        Length += written;
    }

    public void Bytes(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_destination[Length..]);
        Length += bytes.Length;
    }

    public void Text8(string text)
    {
        int bytes = ReleaseNames.StrictUtf8.GetBytes(text, _destination[(Length + 1)..]);
        U8(bytes);
        Length += bytes;
    }

    public void Text16(string text)
    {
        int bytes = ReleaseNames.StrictUtf8.GetBytes(text, _destination[(Length + 2)..]);
        U16(bytes);
        Length += bytes;
    }
}
