using System.Diagnostics.CodeAnalysis;
using Ripple.Engine.Links;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol;

/// <summary>Reads and sends control messages.</summary>
internal static class MessageCodec
{
    [ThreadStatic]
    private static byte[]? _scratch;

    /// <summary>Decodes a body; the message is null unless the status is <see cref="DecodeStatus.Ok"/>.</summary>
    public static DecodeStatus TryRead<T>(ReadOnlySpan<byte> body, [NotNullWhen(true)] out T? message)
        where T : class, IMessage<T>
    {
        var reader = new WireReader(body);
        T read = T.Read(ref reader);
        DecodeStatus status = reader.End();
        message = status == DecodeStatus.Ok ? read : null;
        return status;
    }

    /// <summary>Encodes the body into new memory.</summary>
    /// <exception cref="InvalidOperationException">The message exceeds a control frame; its creator must bound its size.</exception>
    public static byte[] Encode<T>(T message)
        where T : class, IMessage<T>
    {
        var writer = new WireWriter(Scratch());
        message.Write(ref writer);
        ThrowIfOverflow(ref writer, T.Type);
        return writer.Written.ToArray();
    }

    /// <summary>Encodes the body into new memory; false if it exceeds a control frame.</summary>
    public static bool TryEncode<T>(T message, [NotNullWhen(true)] out byte[]? body)
        where T : class, IMessage<T>
    {
        var writer = new WireWriter(Scratch());
        message.Write(ref writer);
        body = writer.IsOverflow ? null : writer.Written.ToArray();
        return body is not null;
    }

    /// <summary>Queues the message on the link; false when the link is closed or has no room now.</summary>
    /// <exception cref="InvalidOperationException">The message exceeds a control frame; its creator must bound its size.</exception>
    public static bool TrySend<T>(this ILink link, T message)
        where T : class, IMessage<T>
    {
        var writer = new WireWriter(Scratch());
        message.Write(ref writer);
        ThrowIfOverflow(ref writer, T.Type);
        return link.TrySend((ushort)T.Type, writer.Written);
    }

    private static byte[] Scratch() => _scratch ??= new byte[WireLimits.ControlBytesMax];

    private static void ThrowIfOverflow(ref WireWriter writer, MessageType type)
    {
        if (writer.IsOverflow)
        {
            throw new InvalidOperationException($"A {type} message does not fit a control frame of {WireLimits.ControlBytesMax} bytes.");
        }
    }
}

/// <summary>A message of the control channel: a type, a writer, and a reader that never throws.</summary>
/// <typeparam name="TSelf">The message type itself.</typeparam>
internal interface IMessage<TSelf>
    where TSelf : class, IMessage<TSelf>
{
    /// <summary>Its number on the wire.</summary>
    static abstract MessageType Type { get; }

    /// <summary>Reads the body. The result is valid only if the reader ends without a failure and with no bytes left over.</summary>
    static abstract TSelf Read(ref WireReader reader);

    /// <summary>Writes the body.</summary>
    void Write(ref WireWriter writer);
}
