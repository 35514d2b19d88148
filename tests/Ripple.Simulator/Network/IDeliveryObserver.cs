namespace Ripple.Simulator.Network;

/// <summary>
/// Sees each datagram and each control frame immediately before and after its receiver handles it, so that the change of the receiver's
/// state between the two calls is the effect of that one delivery.
/// </summary>
internal interface IDeliveryObserver
{
    /// <summary>The core of the port's machine handles the datagram next; handling may overwrite the bytes.</summary>
    /// <param name="port">The receiving port.</param>
    /// <param name="datagram">The bytes, valid during the call only.</param>
    /// <param name="forgery">The kind of forgery; 0 for a genuine datagram.</param>
    void BeforeDatagram(SimulatedPort port, ReadOnlySpan<byte> datagram, int forgery);

    /// <summary>The datagram was handled.</summary>
    void AfterDatagram(SimulatedPort port, int forgery);

    /// <summary>The core of the link's machine handles the frame next.</summary>
    /// <param name="link">The receiving end.</param>
    /// <param name="type">The frame's type.</param>
    /// <param name="body">The bytes, valid during the call only.</param>
    /// <param name="forgery">The kind of forgery; 0 for a genuine frame.</param>
    void BeforeFrame(SimulatedLink link, ushort type, ReadOnlySpan<byte> body, int forgery);

    /// <summary>The frame was handled.</summary>
    void AfterFrame(SimulatedLink link, ushort type, int forgery);
}
