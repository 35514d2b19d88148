namespace Ripple.Transports.Links;

/// <summary>
/// Bytes sent and received over all links of one side together: frames, and the overhead that TLS 1.3 adds to each write or read of them.
/// Handshakes are not included. Any thread; each value on its own.
/// </summary>
public sealed class LinkTraffic
{
    // The overhead of a TLS record: a header of 5 bytes, a type byte and a tag of 16. A record has at most 16 KiB of content.
    private const int RecordBytes = 22;
    private const int RecordContentBytesMax = 16_384;

    private long _sent;
    private long _received;

    /// <summary>Bytes sent.</summary>
    public long BytesSent => Interlocked.Read(ref _sent);

    /// <summary>Bytes received; each read counts with the overhead of the fewest records that could contain it.</summary>
    public long BytesReceived => Interlocked.Read(ref _received);

    internal void CountSent(int bytes) => Interlocked.Add(ref _sent, OnWire(bytes));

    internal void CountReceived(int bytes) => Interlocked.Add(ref _received, OnWire(bytes));

    private static long OnWire(int bytes) => bytes == 0 ? 0 : bytes + ((long)RecordBytes * (1 + ((bytes - 1) / RecordContentBytesMax)));
}
