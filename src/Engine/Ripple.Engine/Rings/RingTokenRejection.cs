
namespace Ripple.Engine.Rings;

/// <summary>One rejection in a token. Reused: valid until the token is cleared or read into.</summary>
internal sealed class RingTokenRejection
{
    private readonly byte[] _reason = new byte[RingLimits.ReasonBytesMax];
    private int _reasonBytes;

    /// <summary>The position of the rejecting member.</summary>
    public ushort Position { get; private set; }

    /// <summary>The application's number.</summary>
    public uint Topic { get; private set; }

    /// <summary>Its generation.</summary>
    public uint Generation { get; private set; }

    /// <summary>The release.</summary>
    public ulong Release { get; private set; }

    /// <summary>The reason, in valid UTF-8.</summary>
    public ReadOnlySpan<byte> Reason => _reason.AsSpan(0, _reasonBytes);

    internal int EncodedBytes => 19 + _reasonBytes;

    internal void Set(ushort position, uint topic, uint generation, ulong release, ReadOnlySpan<byte> reason)
    {
        Position = position;
        Topic = topic;
        Generation = generation;
        Release = release;
        reason.CopyTo(_reason);
        _reasonBytes = reason.Length;
    }

    internal void Set(ushort position, uint topic, uint generation, ulong release, string reason)
    {
        Set(position, topic, generation, release, default(ReadOnlySpan<byte>));
        // Stops between characters when the array is full.
        System.Text.Unicode.Utf8.FromUtf16(reason, _reason, out _, out _reasonBytes);
    }
}
