using System.Net.Sockets;
using System.Security.Cryptography;
using Ripple.Load.Fanout.Net;

namespace Ripple.Load.Fanout.Raw;

/// <summary>
/// All raw receivers: on one thread above epoll, or each on a thread that blocks. Read from other threads, each value by itself.
/// </summary>
internal sealed class RawReceivers
{
    private const int ReadsPerWake = 8;
    private const int EventsMax = 64;
    private readonly Socket[] _sockets;
    private readonly RawWalker[] _walkers;
    private readonly LatencyHistogram[]? _latencies;

    public RawReceivers(Socket[] sockets, byte[]? key, bool isBlocking)
    {
        _sockets = sockets;
        _latencies = isBlocking ? [.. sockets.Select(_ => new LatencyHistogram())] : null;
        _walkers = [.. sockets.Select((_, i) => new RawWalker(key is null ? null : new AesGcm(key, 16), _latencies?[i]))];
        if (isBlocking)
        {
            for (int i = 0; i < sockets.Length; i++)
            {
                int own = i;
                new Thread(() => Block(_sockets[own], _walkers[own])) { IsBackground = true, Name = "raw receiver" }.Start();
            }
        }
        else
        {
            new Thread(Poll) { IsBackground = true, Name = "raw receivers" }.Start();
        }
    }

    public long Packets => _walkers.Sum(w => w.Packets);

    public long Bytes => _walkers.Sum(w => w.Bytes);

    public long Bad => _walkers.Sum(w => w.Bad);

    /// <summary>The times from sending to the check, over all receivers; starts them over. While nothing is sent.</summary>
    public LatencyHistogram TakeLatencies()
    {
        var all = new LatencyHistogram();
        foreach (LatencyHistogram one in _latencies ?? [])
        {
            one.AddTo(all);
            one.Clear();
        }

        return all;
    }

    private static void Block(Socket socket, RawWalker walker)
    {
        byte[] buffer = new byte[1 << 16];
        while (true)
        {
            int length = socket.Receive(buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
            {
                walker.Take(buffer.AsSpan(0, length));
            }
        }
    }

    private unsafe void Poll()
    {
        int epoll = Linux.Checked(Linux.EpollCreate(Linux.CloseOnExec), "epoll_create1");
        int dataOffset = Linux.EpollEventBytes == 12 ? 4 : 8;
        byte* events = stackalloc byte[EventsMax * 16];
        for (int i = 0; i < _sockets.Length; i++)
        {
            *(uint*)events = Linux.EpollIn;
            *(int*)(events + dataOffset) = i;
            Linux.Checked(Linux.EpollControl(epoll, Linux.EpollAdd, _sockets[i].SafeHandle, events), "epoll_ctl");
        }

        byte[] buffer = GC.AllocateUninitializedArray<byte>(1 << 16, pinned: true);
        while (true)
        {
            int count = Linux.EpollWait(epoll, events, EventsMax, -1);
            for (int i = 0; i < count; i++)
            {
                int index = *(int*)(events + (i * Linux.EpollEventBytes) + dataOffset);
                Drain(_sockets[index], _walkers[index], buffer);
            }
        }
    }

    private static void Drain(Socket socket, RawWalker walker, byte[] buffer)
    {
        for (int reads = 0; reads < ReadsPerWake; reads++)
        {
            int length = socket.Receive(buffer, SocketFlags.None, out SocketError error);
            if (error != SocketError.Success)
            {
                return;
            }

            walker.Take(buffer.AsSpan(0, length));
        }
    }
}
