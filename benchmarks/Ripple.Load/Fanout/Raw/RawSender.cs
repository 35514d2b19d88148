using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Ripple.Load.Fanout.Messages;
using Ripple.Load.Fanout.Net;

namespace Ripple.Load.Fanout.Raw;

/// <summary>The raw sender: packs and sends, at a pace or as fast as it can. Calls block; one at a time.</summary>
internal sealed class RawSender(Socket socket, SocketAddress[] destinations, PieceMaker maker, RawPacker packer, bool areTrainsUsed)
{
    private readonly byte[] _train = GC.AllocateUninitializedArray<byte>(RawPacker.TrainBytesMax, pinned: true);

    /// <summary>Packets sent, each counted once whatever the number of receivers.</summary>
    public long Packets => (long)packer.Packets;

    /// <summary>Messages made.</summary>
    public long Messages => maker.Messages;

    /// <summary>Calls that the kernel refused.</summary>
    public long Refused { get; private set; }

    /// <summary>Sends for a while; returns the bytes a second of one receiver's stream.</summary>
    public double Run(TimeSpan duration, double paceBytesPerSecond)
    {
        int packetsMax = areTrainsUsed ? RawPacker.TrainPacketsMax : 1;
        long start = Stopwatch.GetTimestamp();
        double bytes = 0;
        while (true)
        {
            double elapsed = Stopwatch.GetElapsedTime(start).TotalSeconds;
            if (elapsed >= duration.TotalSeconds)
            {
                return bytes / elapsed;
            }

            double aheadSeconds = (bytes / paceBytesPerSecond) - elapsed;
            if (aheadSeconds > 0)
            {
                Linux.Sleep((long)(aheadSeconds * 1e9));
                continue;
            }

            bytes += SendOne(packetsMax, int.MaxValue);
        }
    }

    /// <summary>Sends single messages on time, so many a second.</summary>
    public void RunAtRate(TimeSpan duration, double messagesPerSecond)
    {
        long start = Stopwatch.GetTimestamp();
        for (long i = 0; ; i++)
        {
            double dueSeconds = i / messagesPerSecond;
            if (dueSeconds >= duration.TotalSeconds)
            {
                return;
            }

            double waitSeconds = dueSeconds - Stopwatch.GetElapsedTime(start).TotalSeconds;
            if (waitSeconds > 0)
            {
                Linux.Sleep((long)(waitSeconds * 1e9));
            }

            int packetsMax = areTrainsUsed ? RawPacker.TrainPacketsMax : 1;
            SendOne(packetsMax, 1);
            while (packer.HasRest)
            {
                SendOne(packetsMax, 0);
            }
        }
    }

    private int SendOne(int packetsMax, int piecesMax)
    {
        int length = packer.Make(_train, packetsMax, piecesMax);
        foreach (SocketAddress destination in destinations)
        {
            try
            {
                socket.SendTo(_train.AsSpan(0, length), SocketFlags.None, destination);
            }
            catch (SocketException)
            {
                Refused++;
            }
        }

        return length;
    }
}
