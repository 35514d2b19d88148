namespace Ripple.Engine.Streams;

/// <summary>
/// Takes what one stream delivers. Called on the core thread, from inside the receiver's calls; it may dispose of the receiver, and must
/// not hand packets to it.
/// </summary>
internal interface IStreamReceiverHandler
{
    /// <summary>
    /// A complete message, once each, in the order of completion: the order between releases is the release number's business.
    /// </summary>
    /// <param name="topic">The application's number.</param>
    /// <param name="message">Lent for the call only.</param>
    void OnMessage(uint topic, ReadOnlySpan<byte> message);

    /// <summary>
    /// The sender no longer has what is missing between these sequences, both included: the messages in there come by catch-up or not at
    /// all.
    /// </summary>
    void OnSkipped(ulong fromSequence, ulong toSequence);

    /// <summary><see cref="StreamReceiver.Contiguous"/> moved. Called after the messages of the packet that moved it.</summary>
    /// <param name="packets">By how many; at least 1.</param>
    void OnProgress(ulong packets);
}
