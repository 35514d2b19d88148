using Ripple.Engine.Wire;

namespace Ripple.Engine.Releases;

/// <summary>
/// How a release travels, in a stream or in a catch-up: the header, the signature when it is the newest of its batch, and for each set key
/// its value or nothing, in which case the value is fetched by its digest. Nothing here is covered by the id but the header, so forms may
/// change without another id.
/// </summary>
internal sealed class ReleaseMessage
{
    private const byte Version = 1;

    /// <summary>A body's part besides its bytes: whether it is there, and its length.</summary>
    private const int BodyFrameBytes = 1 + 4;

    /// <summary>
    /// All else at its longest: version, the header's length, whether it is signed, the signature, the trace's length, the trace.
    /// </summary>
    private const int FixedBytes = 1 + 4 + 1 + ReleaseSignature.EncodedBytes + 2 + TraceContext.Bytes;

    /// <summary>
    /// Left over in the 128 bytes that are set aside for these; decides which values travel inline. The compiler refuses a negative number.
    /// </summary>
    private const uint SpareBytes = 128 - FixedBytes;

    private ReleaseMessage(ReleaseHeader header, ReleaseSignature? signature, ReadOnlyMemory<byte>?[] bodies, TraceContext? trace)
    {
        Header = header;
        Signature = signature;
        Bodies = bodies;
        Trace = trace;
        HeldBytes = 1_024 + header.Encode().Length;
        foreach (ReadOnlyMemory<byte>? body in bodies)
        {
            HeldBytes += body?.Length ?? 0;
        }
    }

    /// <summary>The header.</summary>
    public ReleaseHeader Header { get; }

    /// <summary>The signature over the header's id; null inside a batch, whose newest id is signed.</summary>
    public ReleaseSignature? Signature { get; }

    /// <summary>For each change of the header its new value; null for a removal and for a value to be fetched. Unverified.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>?> Bodies { get; }

    /// <summary>The trace of its publish; null when there is none. Unverified, and nothing depends on it.</summary>
    public TraceContext? Trace { get; }

    /// <summary>About what it takes in memory.</summary>
    internal int HeldBytes { get; }

    /// <summary>What the nodes of a core found out of it together; null where it is one node's alone. Core thread.</summary>
    internal SharedWork? Shared { get; set; }

    /// <summary>
    /// Encodes a release. Bodies are put in, in the header's order, as long as they fit <paramref name="inlineBytesMax"/> together; the
    /// others travel by reference.
    /// </summary>
    public static byte[] Encode(
        ReleaseHeader header,
        ReleaseSignature? signature,
        Func<Digest160, ReadOnlyMemory<byte>?> bodyOf,
        int inlineBytesMax,
        TraceContext? trace = null)
    {
        ArgumentNullException.ThrowIfNull(header);
        ArgumentNullException.ThrowIfNull(bodyOf);
        byte[] head = header.Encode();
        int frameBytes = head.Length + FixedBytes + (int)SpareBytes + (BodyFrameBytes * header.Changes.Length);
        int inlineLeft = Math.Min(inlineBytesMax, WireLimits.MessageBytesMax - frameBytes);
        var bodies = new ReadOnlyMemory<byte>?[header.Changes.Length];
        int total = 0;
        for (int i = 0; i < bodies.Length; i++)
        {
            KeyChange change = header.Changes[i];
            if (change.Operation == KeyOperation.Set && change.Length <= inlineLeft && bodyOf(change.Digest) is { } body)
            {
                bodies[i] = body;
                inlineLeft -= body.Length;
                total += body.Length;
            }
        }

        byte[] buffer = new byte[frameBytes + total];
        var writer = new WireWriter(buffer);
        writer.WriteU8(Version);
        writer.WriteBlock32(head);
        writer.WriteBool(signature is not null);
        if (signature is not null)
        {
            writer.WriteU64(signature.SignerId);
            writer.WriteBytes(signature.Bytes.Span);
        }

        foreach (ReadOnlyMemory<byte>? body in bodies)
        {
            writer.WriteBool(body is not null);
            if (body is { } bytes)
            {
                writer.WriteBlock32(bytes.Span);
            }
        }

        // What travels beside the header, outside the id; a block of another length is skipped.
        writer.WriteU16((ushort)(trace is null ? 0 : TraceContext.Bytes));
        trace?.Write(writer.Take(TraceContext.Bytes));
        return writer.Written.ToArray();
    }

    /// <summary>Decodes a message into memory of its own. Never throws; checks form only: nothing in it is believed yet.</summary>
    public static DecodeStatus TryRead(ReadOnlySpan<byte> bytes, out ReleaseMessage? message)
    {
        message = null;
        var reader = new WireReader(bytes);
        if (reader.ReadU8() != Version)
        {
            return reader.IsOk ? DecodeStatus.UnknownVersion : reader.Status;
        }

        ReadOnlySpan<byte> head = reader.ReadBlock32(ReleaseLimits.HeaderBytesMax);
        ReleaseSignature? signature = null;
        if (reader.ReadBool())
        {
            ulong signerId = reader.ReadU64();
            signature = new ReleaseSignature(signerId, reader.ReadBytes(ReleaseSignature.SignatureBytes).ToArray());
        }

        if (!reader.IsOk || !ReleaseHeader.TryDecode(head, out ReleaseHeader? header))
        {
            return reader.IsOk ? DecodeStatus.Malformed : reader.Status;
        }

        var bodies = new ReadOnlyMemory<byte>?[header.Changes.Length];
        for (int i = 0; i < bodies.Length; i++)
        {
            if (!reader.ReadBool())
            {
                continue;
            }

            ReadOnlySpan<byte> body = reader.ReadBlock32(WireLimits.MessageBytesMax);
            if (body.Length != header.Changes[i].Length || header.Changes[i].Operation != KeyOperation.Set)
            {
                reader.Fail();
                break;
            }

            bodies[i] = body.ToArray();
        }

        var trace = TraceContext.TryRead(reader.ReadBlock16());
        DecodeStatus status = reader.End();
        if (status == DecodeStatus.Ok)
        {
            message = new ReleaseMessage(header, signature, bodies, trace);
        }

        return status;
    }
}
