using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Transports.Running;

namespace Ripple.Transports.Udp;

/// <summary>One UDP socket on a core. Made by <see cref="UdpPorts.Open"/>. Core thread. Sending and receiving allocate nothing, except for the first send to a
/// destination, and for errors, which the runtime reports by exceptions. No error of the network ends anything: it is counted.</summary>
public sealed class UdpPort : IDatagramPort, IWaitTarget
{
    private readonly UdpPorts _owner;
    private readonly IWaiter _waiter;
    private readonly Socket _socket;
    private readonly DestinationCache _destinations;
    private readonly int _token;
    private bool _isReadable;
    private bool _isBlocked;
    private bool _isClosed;

    /// <summary>Adds what so many ports of these sizes hold.</summary>
    public static void AddMemory(MemoryBudget budget, UdpPortOptions options, int ports)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(options);
        budget.Add(MemoryScope.Process, MemoryKind.Kept, "udp: addresses in the kernel's form", (long)ports * options.DestinationsMax, DestinationCache.EntryBytes);
    }

    internal UdpPort(UdpPorts owner, IWaiter waiter, UdpPortOptions options)
    {
        _owner = owner;
        _waiter = waiter;
        _socket = UdpSocket.Open(options);
        var bound = (IPEndPoint)_socket.LocalEndPoint!;
        LocalAddress = NodeAddress.From(new IPEndPoint(options.AdvertisedAddress ?? options.LocalAddress, bound.Port));
        ReceiveBufferBytes = _socket.ReceiveBufferSize;
        _destinations = new DestinationCache(_socket.AddressFamily, options.DestinationsMax);
        _token = waiter.Add(this);
    }

    /// <inheritdoc/>
    public NodeAddress LocalAddress { get; }

    /// <inheritdoc/>
    public IDatagramHandler? Handler { get; set; }

    /// <inheritdoc/>
    public Action? OnWritable { get; set; }

    /// <summary>What this port has done.</summary>
    public UdpCounters Counters { get; } = new();

    /// <summary>The size of the receive buffer as the kernel tells it. Linux tells twice what it grants; less than was asked for loses bursts.</summary>
    public int ReceiveBufferBytes { get; }

    Socket IWaitTarget.Socket => _socket;

    /// <inheritdoc/>
    public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram)
    {
        if (_isClosed)
        {
            return SendStatus.Failed;
        }

        if (_destinations.Find(to) is not { } address)
        {
            Counters.AddFailed(SocketError.AddressFamilyNotSupported);
            return SendStatus.Failed;
        }

        try
        {
            _socket.SendTo(datagram, SocketFlags.None, address);
            Counters.Sent++;
            Counters.SentBytes += datagram.Length;
            return SendStatus.Sent;
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.WouldBlock)
        {
            Counters.WouldBlock++;
            WatchWritable(true);
            return SendStatus.WouldBlock;
        }
        catch (SocketException e)
        {
            Counters.AddFailed(e.SocketErrorCode);
            return SendStatus.Failed;
        }
    }

    /// <summary>Closes the socket; datagrams the core has queued for the handler still come, unless <see cref="CoreLoop.Forget"/> follows. Core thread; safe
    /// from inside any callback.</summary>
    public void Dispose()
    {
        if (!_isClosed)
        {
            _isClosed = true;
            OnWritable = null;
            _waiter.Remove(_token);
            _socket.Dispose();
            _owner.OnClosed(this);
        }
    }

    void IWaitTarget.OnReady(bool isReadable, bool isWritable)
    {
        if (isReadable && !_isReadable)
        {
            _isReadable = true;
            _owner.OnReadable(this);
        }

        if (isWritable && _isBlocked)
        {
            WatchWritable(false);
            _owner.OnWritable(this);
        }
    }

    /// <summary>Reads up to so many times; returns how many datagrams went into the queue. The caller asks again while <paramref name="isDrained"/> is false.</summary>
    internal int Receive(IoQueue queue, int readsMax, out bool isDrained)
    {
        int received = 0;
        for (int reads = 0; reads < readsMax && !_isClosed; reads++)
        {
            if (!queue.HasRoom || !queue.TryRent(out BufferLease lease))
            {
                isDrained = false;
                return received;
            }

            int length = _socket.Receive(lease.Span, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success && length < lease.Array.Length && Handler is { } handler)
            {
                Counters.Received++;
                Counters.ReceivedBytes += length;
                queue.Enqueue(lease, length, handler);
                received++;
                continue;
            }

            bool isFull = error == SocketError.Success && length == lease.Array.Length;
            lease.Return();
            if (error == SocketError.WouldBlock)
            {
                isDrained = true;
                _isReadable = false;
                return received;
            }

            CountDropped(error, isFull);
        }

        isDrained = _isClosed;
        return received;
    }

    private void CountDropped(SocketError error, bool isFull)
    {
        if (isFull || error == SocketError.MessageSize)
        {
            Counters.Truncated++;
        }
        else if (error == SocketError.Success)
        {
            Counters.Unhandled++;
        }
        else
        {
            Counters.AddFailed(error);
        }
    }

    private void WatchWritable(bool isBlocked)
    {
        if (_isBlocked != isBlocked)
        {
            _isBlocked = isBlocked;
            _waiter.WatchWritable(_token, isBlocked);
        }
    }
}
