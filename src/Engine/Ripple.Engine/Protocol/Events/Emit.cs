using Ripple.Engine.Matching;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Events;

/// <summary>
/// Emits an event. The sender keeps it until it was told that it is delivered, and sends it again on another connection.
/// </summary>
/// <param name="Application">The application whose space it is.</param>
/// <param name="Epoch">The emitter's number at its start: with the node and the sequence it is the event's id.</param>
/// <param name="Sequence">The event's number, from 1; on one connection they grow.</param>
/// <param name="Values">A value in each dimension.</param>
/// <param name="Payload">What it carries.</param>
internal sealed record Emit(
    string Application, ulong Epoch, ulong Sequence, IReadOnlyList<NamedValue> Values, ReadOnlyMemory<byte> Payload) : IMessage<Emit>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Emit;

    /// <inheritdoc/>
    public static Emit Read(ref WireReader reader)
    {
        string application = reader.ReadText8();
        ulong epoch = reader.ReadU64();
        ulong sequence = reader.ReadU64();
        NamedValue[] values = EventLimits.ReadValues(ref reader);
        return new Emit(application, epoch, sequence, values, reader.ReadBlock32(EventLimits.PayloadBytesMax).ToArray());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteText8(Application);
        writer.WriteU64(Epoch);
        writer.WriteU64(Sequence);
        EventLimits.WriteValues(ref writer, Values);
        writer.WriteBlock32(Payload.Span);
    }
}

/// <summary>How far an event has come; may be told more than once, and never less than before on one connection.</summary>
/// <param name="Application">The application.</param>
/// <param name="Sequence">The event's number.</param>
/// <param name="Stage">How far it is, unless it is refused.</param>
/// <param name="Matched">The sessions that it was given to, once it is matched.</param>
/// <param name="Code">None, or why it is refused. Busy: send it again later.</param>
/// <param name="Text">Why it is refused, and what to do.</param>
internal sealed record EmitResult(string Application, ulong Sequence, EmitStage Stage, uint Matched, ErrorCode Code, string Text)
    : IMessage<EmitResult>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.EmitResult;

    /// <inheritdoc/>
    public static EmitResult Read(ref WireReader reader)
    {
        string application = reader.ReadText8();
        ulong sequence = reader.ReadU64();
        byte stage = reader.ReadU8();
        if (stage > (byte)EmitStage.Delivered)
        {
            reader.Fail();
        }

        uint matched = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        return new EmitResult(application, sequence, (EmitStage)stage, matched, code, reader.ReadText16(4_096));
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteText8(Application);
        writer.WriteU64(Sequence);
        writer.WriteU8((byte)Stage);
        writer.WriteU32(Matched);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
    }
}

/// <summary>How far an event has come. Each holds what is before it.</summary>
internal enum EmitStage : byte
{
    /// <summary>The host has it.</summary>
    Accepted,

    /// <summary>It stands in the queue of each subscriber whose box has it.</summary>
    Matched,

    /// <summary>Each of them has taken it, gone for good, or lost it to a full queue, of which it was told.</summary>
    Delivered,
}
