using Ripple.Engine.Control;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Control;

/// <summary>What the tests do with one type of message, whichever it is.</summary>
internal abstract class MessageCase
{
    public static IReadOnlyList<MessageCase> All { get; } =
    [
        .. typeof(ControlCodec).Assembly.GetTypes()
            .Where(t => t.GetInterfaces().Any(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IControlMessage<>)))
            .OrderBy(t => t.FullName, StringComparer.Ordinal)
            .Select(t => (MessageCase)Activator.CreateInstance(typeof(Of<>).MakeGenericType(t))!),
    ];

    public abstract Type Type { get; }

    public abstract ControlType Number { get; }

    public static MessageCase Find(string name) => All.Single(c => c.Type.Name == name);

    public abstract byte[] Encode(object message);

    public abstract DecodeStatus TryRead(ReadOnlySpan<byte> bytes, out object? message);

    private sealed class Of<T> : MessageCase
        where T : class, IControlMessage<T>
    {
        public override Type Type => typeof(T);

        public override ControlType Number => T.Type;

        public override byte[] Encode(object message) => ControlCodec.Encode((T)message);

        public override DecodeStatus TryRead(ReadOnlySpan<byte> bytes, out object? message)
        {
            DecodeStatus status = ControlCodec.TryRead(bytes, out T? read);
            message = read;
            return status;
        }
    }
}
