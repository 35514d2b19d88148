using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace Ripple.Load.Events.Peers;

/// <summary>
/// An event in a channel of Redis: its payload as with Ripple, and its values behind. All are of one size, and so are the frames that a
/// subscriber is sent.
/// </summary>
internal static class RedisMessage
{
    private const string Channel = "events";

    /// <summary>What begins the subscription of a connection.</summary>
    public static ReadOnlySpan<byte> Subscribe => "*2\r\n$9\r\nSUBSCRIBE\r\n$6\r\nevents\r\n"u8;

    /// <summary>What the server answers to that.</summary>
    public static ReadOnlySpan<byte> Subscribed => "*3\r\n$9\r\nsubscribe\r\n$6\r\nevents\r\n:1\r\n"u8;

    /// <summary>The bytes of an event in so many dimensions.</summary>
    public static int BytesOf(int dimensions) => EventsWorkload.PayloadBytes + (dimensions * sizeof(double));

    /// <summary>The words that a subscriber is sent before an event.</summary>
    public static byte[] HeadOf(int dimensions) => Encoding.ASCII.GetBytes(string.Create(
        CultureInfo.InvariantCulture, $"*3\r\n$7\r\nmessage\r\n${Channel.Length}\r\n{Channel}\r\n${BytesOf(dimensions)}\r\n"));

    /// <summary>The command that publishes an event.</summary>
    public static byte[] Publish(int number, long ticks, ReadOnlySpan<double> point)
    {
        string head = string.Create(
            CultureInfo.InvariantCulture,
            $"*3\r\n$7\r\nPUBLISH\r\n${Channel.Length}\r\n{Channel}\r\n${BytesOf(point.Length)}\r\n");
        return
        [
            .. Encoding.ASCII.GetBytes(head),
            .. EventsWorkload.Payload(number, ticks),
            .. MemoryMarshal.AsBytes(point),
            .. "\r\n"u8,
        ];
    }
}
