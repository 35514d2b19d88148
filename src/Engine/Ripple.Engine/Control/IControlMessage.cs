using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>A message of the control channel: a type, a writer, and a reader that never throws.</summary>
/// <typeparam name="TSelf">The message itself.</typeparam>
public interface IControlMessage<TSelf>
    where TSelf : class, IControlMessage<TSelf>
{
    /// <summary>Its number on the wire.</summary>
    static abstract ControlType Type { get; }

    /// <summary>Reads the body. Whatever it returns counts only if the reader is at its end without a failure.</summary>
    static abstract TSelf Read(ref WireReader reader);

    /// <summary>Writes the body.</summary>
    void Write(ref WireWriter writer);
}
