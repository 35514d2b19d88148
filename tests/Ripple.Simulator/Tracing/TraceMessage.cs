namespace Ripple.Simulator.Tracing;

/// <summary>A datagram or a control frame on its way.</summary>
/// <param name="SentNs">When it left, in simulated nanoseconds.</param>
/// <param name="ArrivedNs">When it arrived or was to arrive; -1 if it was lost on the way.</param>
/// <param name="From">The index of the sender's machine.</param>
/// <param name="To">The index of the receiver's machine.</param>
/// <param name="Type">The type of a control frame; -1 for a datagram.</param>
/// <param name="Bytes">Its length in bytes.</param>
internal readonly record struct TraceMessage(long SentNs, long ArrivedNs, int From, int To, int Type, int Bytes);
