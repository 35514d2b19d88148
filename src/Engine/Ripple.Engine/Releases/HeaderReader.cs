using System.Buffers.Binary;
using System.Text.Unicode;

namespace Ripple.Engine.Releases;

/// <summary>Takes the fields of a header from bytes of unknown origin: once one is missing or malformed, <see cref="IsBroken"/> stays true and every read returns nothing.</summary>
internal ref struct HeaderReader(ReadOnlySpan<byte> source)
{
    private ReadOnlySpan<byte> _rest = source;

    public bool IsBroken { get; private set; }

    public readonly bool IsAtEnd => !IsBroken && _rest.IsEmpty;

    public int U8() => Take(1) is [byte value] ? value : 0;

    public int U16() => Take(2) is { Length: 2 } bytes ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : 0;

    public uint U32() => Take(4) is { Length: 4 } bytes ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : 0;

    public ulong U64() => Take(8) is { Length: 8 } bytes ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : 0;

    public Digest160 Digest() => Take(Digest160.Size) is { Length: Digest160.Size } bytes ? Digest160.Read(bytes) : default;

    public Guid Id() => Take(16) is { Length: 16 } bytes ? new(bytes, bigEndian: true) : default;

    public string Text8() => Text(Take(U8()));

    public string Text16() => Text(Take(U16()));

    public ReadOnlySpan<byte> Take(int count)
    {
        if (IsBroken || count > _rest.Length)
        {
            IsBroken = true;
            return default;
        }

        ReadOnlySpan<byte> taken = _rest[..count];
        _rest = _rest[count..];
        return taken;
    }

    private string Text(ReadOnlySpan<byte> bytes)
    {
        if (Utf8.IsValid(bytes))
        {
            return System.Text.Encoding.UTF8.GetString(bytes);
        }

        IsBroken = true;
        return "";
    }
}
