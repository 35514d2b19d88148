using Ripple.Engine.Protocol;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Protocol;

/// <summary>What the tests do with one type of message, whichever it is.</summary>
internal abstract class MessageCase
{
    public static IReadOnlyList<MessageCase> All { get; } =
    [
        .. typeof(MessageCodec).Assembly.GetTypes()
            .Where(t => t.GetInterfaces().Any(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IMessage<>)))
            .OrderBy(t => t.FullName, StringComparer.Ordinal)
            .Select(t => (MessageCase)Activator.CreateInstance(typeof(Of<>).MakeGenericType(t))!),
    ];

    public abstract Type Type { get; }

    public abstract MessageType Number { get; }

    public static MessageCase Find(string name) => All.Single(c => c.Type.Name == name);

    public abstract byte[] Encode(object message);

    public abstract DecodeStatus TryRead(ReadOnlySpan<byte> bytes, out object? message);

    private sealed class Of<T> : MessageCase
        where T : class, IMessage<T>
    {
        public override Type Type => typeof(T);

        public override MessageType Number => T.Type;

        public override byte[] Encode(object message) => MessageCodec.Encode((T)message);

        public override DecodeStatus TryRead(ReadOnlySpan<byte> bytes, out object? message)
        {
            DecodeStatus status = MessageCodec.TryRead(bytes, out T? read);
            message = read;
            return status;
        }
    }
}
