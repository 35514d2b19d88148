namespace Ripple.Testing.Network;

/// <summary>The sizes of the simulated datagram network.</summary>
internal sealed record NetworkOptions
{
    /// <summary>The receive buffer of a port, in bytes. Default 256 KiB. First in, first out; what does not fit is dropped.</summary>
    public int ReceiveBufferBytes { get; init; } = 256 * 1_024;

    /// <summary>
    /// What each waiting datagram takes of the receive buffer beside its bytes: the kernel counts its own structures too. Default 512.
    /// </summary>
    public int ReceiveOverheadBytes { get; init; } = 512;

    /// <summary>The send buffer of a port, in bytes not yet on the line. Default 208 KiB.</summary>
    public int SendBufferBytes { get; init; } = 208 * 1_024;

    /// <summary>The rate at which a port's datagrams leave, in bits a second. Default 10 Gb/s.</summary>
    public long LineBitsPerSecond { get; init; } = 10_000_000_000;
}
