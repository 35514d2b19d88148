namespace Ripple.Engine.Streams;

/// <summary>
/// Takes the messages and events of one stream. Called on the core thread, from within the receiver's methods; may dispose of the receiver,
/// but must not pass packets to it.
/// </summary>
internal interface IStreamReceiverHandler
{
    /// <summary>
    /// A complete message, delivered once, in the order of completion: the order of releases follows from the release number.
    /// </summary>
    /// <param name="topic">The application's number.</param>
    /// <param name="message">Valid during the call only.</param>
    void OnMessage(uint topic, ReadOnlySpan<byte> message);

    /// <summary>
    /// The sender no longer has the packets missing between these sequences, both inclusive: their messages arrive by catch-up or not at
    /// all.
    /// </summary>
    void OnSkipped(ulong fromSequence, ulong toSequence);

    /// <summary><see cref="StreamReceiver.Contiguous"/> advanced. Called after the messages of the packet that advanced it.</summary>
    /// <param name="packets">By how many; at least 1.</param>
    void OnProgress(ulong packets);
}
