namespace Ripple.Transports.Links;

/// <summary>
/// Bytes that went over links, all links of one side together: frames, and what TLS 1.3 adds to each write or read of them. Handshakes are
/// not in it. Any thread; each value by itself.
/// </summary>
public sealed class LinkTraffic
{
    // A record: 5 bytes of header, a byte of type, a tag of 16. At most 16 KiB of content each.
    private const int RecordBytes = 22;
    private const int RecordContentBytesMax = 16_384;

    private long _sent;
    private long _received;

    /// <summary>Bytes sent.</summary>
    public long BytesSent => Interlocked.Read(ref _sent);

    /// <summary>Bytes received; where several records were read at once, without the later ones' headers.</summary>
    public long BytesReceived => Interlocked.Read(ref _received);

    internal void CountSent(int bytes) => Interlocked.Add(ref _sent, OnWire(bytes));

    internal void CountReceived(int bytes) => Interlocked.Add(ref _received, OnWire(bytes));

    private static long OnWire(int bytes) => bytes == 0 ? 0 : bytes + ((long)RecordBytes * (1 + ((bytes - 1) / RecordContentBytesMax)));
}
