using Ripple.Engine.Wire;

namespace Ripple.Engine.Releases;

/// <summary>
/// The wire form of a release, in a stream or in a catch-up: the header, the signature if it is the newest of its batch, and for each set
/// key either its value or nothing, in which case the value is fetched by its digest. The id covers only the header, so the rest of the
/// format may change without changing ids.
/// </summary>
internal sealed class ReleaseMessage
{
    private const byte Version = 1;

    /// <summary>The overhead of a body: whether it is present, and its length.</summary>
    private const int BodyFrameBytes = 1 + 4;

    /// <summary>Maximum size of everything else: version, header length, signed flag, signature, trace length, trace.</summary>
    private const int FixedBytes = 1 + 4 + 1 + ReleaseSignature.EncodedBytes + 2 + TraceContext.Bytes;

    /// <summary>
    /// Unused part of the 128 bytes that are reserved for these; affects which values travel inline. A negative number does not compile.
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

    /// <summary>The new value of each change in the header; null for a removal and for a value to be fetched. Unverified.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>?> Bodies { get; }

    /// <summary>The trace context of its publish; null when there is none. Unverified, and nothing depends on it.</summary>
    public TraceContext? Trace { get; }

    /// <summary>Its approximate memory use, in bytes.</summary>
    internal int HeldBytes { get; }

    /// <summary>Results that the nodes of a core share; null when the message belongs to one node alone. Core thread.</summary>
    internal SharedWork? Shared { get; set; }

    /// <summary>
    /// Encodes a release. In the header's order, each body that still fits into <paramref name="inlineBytesMax"/> bytes in total is
    /// included; the others are left to be fetched by digest.
    /// </summary>
    public static byte[] Encode(
        ReleaseHeader header,
        ReleaseSignature? signature,
        Func<Digest160, ReadOnlyMemory<byte>?> bodyOf,
        int inlineBytesMax,
        TraceContext? trace = null)
    {
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

        // Sent beside the header, outside the id; readers skip a block of any other length.
        writer.WriteU16((ushort)(trace is null ? 0 : TraceContext.Bytes));
        trace?.Write(writer.Take(TraceContext.Bytes));
        return writer.Written.ToArray();
    }

    /// <summary>
    /// Decodes a message into memory of its own. Never throws; checks the format only, so nothing in it can be trusted yet.
    /// </summary>
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
