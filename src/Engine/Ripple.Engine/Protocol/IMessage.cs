using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol;

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
