using System.Buffers;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Releases;

/// <summary>
/// The wire form of a release, in a stream or in a catch-up: the header, the signature if it is the newest of its batch, and for each set
/// key its value, whole or compressed, a delta that leads to it from the value before, a mark that it follows in the stream, or nothing, in
/// which case the value is fetched by its digest. The id covers only the header, so the rest of the format may change without changing ids.
/// A message in which all values are whole has version 1, byte for byte as before there were others.
/// </summary>
internal sealed class ReleaseMessage
{
    /// <summary>The shortest value that may follow in the stream: a shorter one is asked for with less effort.</summary>
    public const int StreamedBytesMin = 1_024;

    private const byte WholeVersion = 1;

    /// <summary>Of a message with at least one value that is not whole.</summary>
    private const byte ShortVersion = 2;

    // How a change travels: bits for being there, for a delta, for being compressed.
    private const byte FormNone = 0;
    private const byte FormWhole = 1;
    private const byte FormDelta = 3;
    private const byte FormCompressed = 5;
    private const byte FormCompressedDelta = FormDelta | FormCompressed;
    // Nothing here: manifest and chunks follow in the stream.
    private const byte FormStreamed = 8;

    /// <summary>The overhead of a body: its form, and its length.</summary>
    private const int BodyFrameBytes = 1 + 4;

    /// <summary>Maximum size of everything else: version, header length, signed flag, signature, trace length, trace.</summary>
    private const int FixedBytes = 1 + 4 + 1 + ReleaseSignature.EncodedBytes + 2 + TraceContext.Bytes;

    /// <summary>
    /// Unused part of the 128 bytes that are reserved for these; affects which values travel inline. A negative number does not compile.
    /// </summary>
    private const uint SpareBytes = 128 - FixedBytes;

    private ReleaseMessage(
        ReleaseHeader header,
        ReleaseSignature? signature,
        ReadOnlyMemory<byte>?[] bodies,
        ShortForm?[]? shortForms,
        bool[]? streamed,
        TraceContext? trace)
    {
        Header = header;
        Signature = signature;
        Bodies = bodies;
        ShortForms = shortForms;
        Streamed = streamed;
        Trace = trace;
        HeldBytes = 1_024 + header.Encode().Length;
        for (int i = 0; i < bodies.Length; i++)
        {
            HeldBytes += (bodies[i] ?? shortForms?[i]?.Bytes)?.Length ?? 0;
        }
    }

    /// <summary>The header.</summary>
    public ReleaseHeader Header { get; }

    /// <summary>The signature over the header's id; null inside a batch, whose newest id is signed.</summary>
    public ReleaseSignature? Signature { get; }

    /// <summary>
    /// The new value of each change in the header; null for a removal, for a short form and for a value to come or to be fetched.
    /// Unverified.
    /// </summary>
    public IReadOnlyList<ReadOnlyMemory<byte>?> Bodies { get; }

    /// <summary>
    /// For each change what its value is made of; null for a change that travels otherwise, and null as a whole where there are none.
    /// Unverified.
    /// </summary>
    public IReadOnlyList<ShortForm?>? ShortForms { get; }

    /// <summary>
    /// For each change whether its value follows in the stream that the message came by; null as a whole where none does. Unverified.
    /// </summary>
    public IReadOnlyList<bool>? Streamed { get; }

    /// <summary>The trace context of its publish; null when there is none. Unverified, and nothing depends on it.</summary>
    public TraceContext? Trace { get; }

    /// <summary>Its approximate memory use, in bytes.</summary>
    internal int HeldBytes { get; }

    /// <summary>Results that the nodes of a core share; null when the message belongs to one node alone. Core thread.</summary>
    internal SharedWork? Shared { get; set; }

    /// <summary>
    /// Encodes a release. In the header's order, each body that still fits into <paramref name="inlineBytesMax"/> bytes in total is
    /// included, in its short form where there is one; the others are left to be fetched by digest.
    /// </summary>
    /// <param name="header">The header.</param>
    /// <param name="signature">The signature over its id; null if a newer release of its batch has it.</param>
    /// <param name="bodyOf">Finds a value by its digest.</param>
    /// <param name="inlineBytesMax">The most bytes of all bodies.</param>
    /// <param name="trace">The trace context of its publish; null if there is none.</param>
    /// <param name="shortForms">The short form of each change; null where there is none, and as a whole for a message without any.</param>
    /// <param name="stream">
    /// Called for each value that is not included, by its index: whether it follows in the stream. Null where none does.
    /// </param>
    public static byte[] Encode(
        ReleaseHeader header,
        ReleaseSignature? signature,
        Func<Digest160, ReadOnlyMemory<byte>?> bodyOf,
        int inlineBytesMax,
        TraceContext? trace = null,
        IReadOnlyList<ShortForm?>? shortForms = null,
        Func<int, bool>? stream = null)
    {
        byte[] head = header.Encode();
        int frameBytes = head.Length + FixedBytes + (int)SpareBytes + (BodyFrameBytes * header.Changes.Length);
        int inlineLeft = Math.Min(inlineBytesMax, WireLimits.MessageBytesMax - frameBytes);
        var forms = new byte[header.Changes.Length];
        var bodies = new ReadOnlyMemory<byte>[header.Changes.Length];
        byte version = WholeVersion;
        int total = 0;
        for (int i = 0; i < bodies.Length; i++)
        {
            KeyChange change = header.Changes[i];
            if (shortForms?[i] is { } shorter && IsShorter(change, shorter.Bytes.Length) && shorter.Bytes.Length <= inlineLeft)
            {
                (forms[i], bodies[i]) = (FormOf(shorter), shorter.Bytes);
                version = ShortVersion;
            }
            else if (change.Operation == KeyOperation.Set && change.Length <= inlineLeft && bodyOf(change.Digest) is { } body)
            {
                (forms[i], bodies[i]) = (FormWhole, body);
            }
            else if (IsStreamable(change) && stream?.Invoke(i) == true)
            {
                forms[i] = FormStreamed;
                version = ShortVersion;
            }

            inlineLeft -= bodies[i].Length;
            total += bodies[i].Length;
        }

        byte[] buffer = new byte[frameBytes + total];
        var writer = new WireWriter(buffer);
        writer.WriteU8(version);
        writer.WriteBlock32(head);
        writer.WriteBool(signature is not null);
        if (signature is not null)
        {
            writer.WriteU64(signature.SignerId);
            writer.WriteBytes(signature.Bytes.Span);
        }

        for (int i = 0; i < bodies.Length; i++)
        {
            writer.WriteU8(forms[i]);
            if (forms[i] is not (FormNone or FormStreamed))
            {
                writer.WriteBlock32(bodies[i].Span);
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
        byte version = reader.ReadU8();
        if (version is not (WholeVersion or ShortVersion))
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
        ShortForm?[]? shortForms = null;
        bool[]? streamed = null;
        for (int i = 0; i < bodies.Length; i++)
        {
            byte form = reader.ReadU8();
            KeyChange change = header.Changes[i];
            if (form == FormNone)
            {
                continue;
            }

            if (form == FormStreamed && version == ShortVersion && IsStreamable(change))
            {
                streamed ??= new bool[bodies.Length];
                streamed[i] = true;
                continue;
            }

            ReadOnlySpan<byte> body = reader.ReadBlock32(WireLimits.MessageBytesMax);
            if (form == FormWhole && change.Operation == KeyOperation.Set && body.Length == change.Length)
            {
                bodies[i] = body.ToArray();
            }
            else if (form is FormDelta or FormCompressed or FormCompressedDelta
                && version == ShortVersion
                && IsShorter(change, body.Length))
            {
                shortForms ??= new ShortForm?[bodies.Length];
                shortForms[i] = new ShortForm(form != FormCompressed, form != FormDelta, body.ToArray());
            }
            else
            {
                reader.Fail();
                break;
            }
        }

        var trace = TraceContext.TryRead(reader.ReadBlock16());
        if (version == ShortVersion && shortForms is null && streamed is null)
        {
            // One message has one form.
            reader.Fail();
        }

        DecodeStatus status = reader.End();
        if (status == DecodeStatus.Ok)
        {
            message = new ReleaseMessage(header, signature, bodies, shortForms, streamed, trace);
        }

        return status;
    }

    private static byte FormOf(ShortForm form) =>
        !form.IsDelta ? FormCompressed : form.IsCompressed ? FormCompressedDelta : FormDelta;

    private static bool IsStreamable(KeyChange change) =>
        change.Operation == KeyOperation.Set && change.Length >= StreamedBytesMin;

    /// <summary>Whether a short form of a length may stand for a change: it is shorter than what it makes.</summary>
    private static bool IsShorter(KeyChange change, int length) =>
        change.Operation == KeyOperation.Set && length > 0 && length < change.Length && change.Length <= ValueDelta.ValueBytesMax;
}

/// <summary>What a value is made of: a delta, compressed, or both. Immutable.</summary>
/// <param name="IsDelta">
/// True for the instructions (<see cref="ValueDelta"/>) that make it from the value of the same key in the state before; false for the
/// value itself.
/// </param>
/// <param name="IsCompressed">Whether <paramref name="Bytes"/> are compressed (<see cref="ValueCompression"/>).</param>
/// <param name="Bytes">The instructions, or the value.</param>
internal readonly record struct ShortForm(bool IsDelta, bool IsCompressed, ReadOnlyMemory<byte> Bytes)
{
    /// <summary>
    /// Makes the value in room of its length. False for a form that does not lead to a value of this length; the room has garbage then.
    /// Takes as much again from the shared pool for a compressed delta. Core thread.
    /// </summary>
    public bool TryMake(ReadOnlySpan<byte> source, Span<byte> value)
    {
        if (!IsDelta)
        {
            return ValueCompression.TryDecompress(Bytes.Span, value);
        }

        if (!IsCompressed)
        {
            return ValueDelta.TryApply(Bytes.Span, source, value);
        }

        // Instructions are shorter than what they make, so that what is signed bounds them, too.
        byte[] rented = ArrayPool<byte>.Shared.Rent(value.Length);
        bool isMade = ValueCompression.TryDecompress(Bytes.Span, rented.AsSpan(0, value.Length - 1), out int length)
            && ValueDelta.TryApply(rented.AsSpan(0, length), source, value);
        ArrayPool<byte>.Shared.Return(rented);
        return isMade;
    }
}
