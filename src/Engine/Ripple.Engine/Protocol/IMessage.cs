using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol;

/// <summary>A message of the control channel: a type, a writer, and a reader that never throws.</summary>
/// <typeparam name="TSelf">The message itself.</typeparam>
internal interface IMessage<TSelf>
    where TSelf : class, IMessage<TSelf>
{
    /// <summary>Its number on the wire.</summary>
    static abstract MessageType Type { get; }

    /// <summary>Reads the body. Whatever it returns counts only if the reader is at its end without a failure.</summary>
    static abstract TSelf Read(ref WireReader reader);

    /// <summary>Writes the body.</summary>
    void Write(ref WireWriter writer);
}
