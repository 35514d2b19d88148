using System.Globalization;

namespace Ripple.Engine.Releases;

/// <summary>
/// Where a change came from, for distributed traces: the W3C trace context of its publish. It travels beside the header, outside the id: a
/// release is the same with another one or none, and nothing is decided by it. It is not stored, so that a node that catches up gets none.
/// Immutable.
/// </summary>
internal sealed class TraceContext
{
    /// <summary>Bytes on the wire: trace id, span id, flags.</summary>
    public const int Bytes = 25;

    private const int TextLength = 55;
    private readonly byte[] _bytes;

    private TraceContext(byte[] bytes) => _bytes = bytes;

    /// <summary>
    /// Reads a <c>traceparent</c> of version 00; null when it is none, as the standard asks: a wrong one is left out, not refused.
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

    /// <summary>Reads what <see cref="Write"/> wrote; null when it is none.</summary>
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

    /// <summary>The standard wants lower case.</summary>
    private static bool TryHex(ReadOnlySpan<char> text, Span<byte> bytes) =>
        !text.ContainsAnyInRange('A', 'F')
            && Convert.FromHexString(text, bytes, out _, out int written) == System.Buffers.OperationStatus.Done
            && written == bytes.Length;
}
