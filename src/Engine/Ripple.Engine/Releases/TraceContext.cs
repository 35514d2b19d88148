using System.Globalization;

namespace Ripple.Engine.Releases;

/// <summary>
/// The W3C trace context of a publish, for distributed tracing. It travels beside the header, outside the id: a release is the same with
/// any trace or none, and no decision depends on it. It is not stored, so a node that catches up gets none. Immutable.
/// </summary>
internal sealed class TraceContext
{
    /// <summary>Bytes on the wire: trace id, span id, flags.</summary>
    public const int Bytes = 25;

    private const int TextLength = 55;
    private readonly byte[] _bytes;

    private TraceContext(byte[] bytes) => _bytes = bytes;

    /// <summary>
    /// Parses a <c>traceparent</c> of version 00; null when it is invalid, because the standard demands that an invalid one is ignored, not
    /// refused.
    /// </summary>
    public static TraceContext? TryParse(string? traceParent)
    {
        if (traceParent is null
            || traceParent.Length != TextLength
            || !traceParent.StartsWith("00-", StringComparison.Ordinal)
            || traceParent[35] != '-'
            || traceParent[52] != '-')
        {
            return null;
        }

        byte[] bytes = new byte[Bytes];
        return TryHex(traceParent.AsSpan(3, 32), bytes.AsSpan(0, 16))
            && TryHex(traceParent.AsSpan(36, 16), bytes.AsSpan(16, 8))
            && TryHex(traceParent.AsSpan(53, 2), bytes.AsSpan(24, 1))
            ? TryRead(bytes)
            : null;
    }

    /// <summary>Reads the output of <see cref="Write"/>; null when the bytes are no valid context.</summary>
    public static TraceContext? TryRead(ReadOnlySpan<byte> bytes) =>
        bytes.Length == Bytes && bytes[..16].ContainsAnyExcept((byte)0) && bytes[16..24].ContainsAnyExcept((byte)0)
            ? new TraceContext(bytes.ToArray())
            : null;

    /// <summary>Writes it into <see cref="Bytes"/> bytes.</summary>
    public void Write(Span<byte> bytes) => _bytes.CopyTo(bytes);

    /// <summary>The <c>traceparent</c>.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"00-{Convert.ToHexStringLower(_bytes.AsSpan(0, 16))}-{Convert.ToHexStringLower(_bytes.AsSpan(16, 8))}-"
            + $"{Convert.ToHexStringLower(_bytes.AsSpan(24, 1))}");

    /// <summary>The standard requires lower case.</summary>
    private static bool TryHex(ReadOnlySpan<char> text, Span<byte> bytes) =>
        !text.ContainsAnyInRange('A', 'F')
            && Convert.FromHexString(text, bytes, out _, out int written) == System.Buffers.OperationStatus.Done
            && written == bytes.Length;
}
