using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Transports.Running;

namespace Ripple.Transports.Udp;

/// <summary>
/// One UDP socket on a core. Made by <see cref="UdpPorts.Open"/> and <see cref="UdpPorts.OpenGroup"/>. Core thread. Sending and receiving
/// allocate nothing, except for the first send to a destination, and for errors, which the runtime reports by exceptions. Network errors
/// are only counted; none of them ends the port.
/// </summary>
internal sealed class UdpPort : IDatagramPort, IWaitTarget
{
    // More than a datagram of the protocol has, so that a longer one is detected.
    private const int DatagramRoomBytes = 2_048;
    // The most that the kernel hands over at once; a smaller buffer would silently truncate trains.
    private const int TrainRoomBytes = 65_536;

    private readonly UdpPorts _owner;
    private readonly IWaiter _waiter;
    private readonly Socket _socket;
    private readonly KernelDrops _kernelDrops;
    private readonly DestinationCache _destinations;
    private readonly int _token;
    private readonly int _roomBytes;
    private readonly UdpSegmentation _segmentation;
    private bool _isReadable;
    private bool _isBlocked;
    private bool _isClosed;

    /// <summary>Adds the memory that this many ports of these sizes hold.</summary>
    public static void AddMemory(MemoryBudget budget, UdpPortOptions options, int ports)
    {
        budget.Add(
            MemoryScope.Process,
            MemoryKind.Retained,
            "udp: addresses in the kernel's form",
            (long)ports * options.DestinationsMax,
            DestinationCache.EntryBytes);
    }

    internal UdpPort(UdpPorts owner, IWaiter waiter, UdpPortOptions options)
        : this(owner, waiter, UdpSocket.Open(options), options.Lane, options.AreTrainsUsed, options.DestinationsMax)
    {
        var bound = (IPEndPoint)_socket.LocalEndPoint!;
        LocalAddress = NodeAddress.From(new IPEndPoint(options.AdvertisedAddress ?? options.LocalAddress, bound.Port));
    }

    internal UdpPort(UdpPorts owner, IWaiter waiter, UdpGroupOptions options)
        : this(owner, waiter, UdpSocket.Join(options), PortLane.Data, options.AreTrainsUsed, destinationsMax: 1) =>
        LocalAddress = NodeAddress.From(new IPEndPoint(options.Group, options.Port));

    private UdpPort(UdpPorts owner, IWaiter waiter, Socket socket, PortLane lane, bool areTrainsUsed, int destinationsMax)
    {
        _owner = owner;
        _waiter = waiter;
        _socket = socket;
        _kernelDrops = owner.KernelDrops.Open(socket);
        Counters = new UdpCounters(_kernelDrops);
        Lane = lane;
        ReceiveBufferBytes = socket.ReceiveBufferSize;
        _destinations = new DestinationCache(socket.AddressFamily, destinationsMax);
        _segmentation = new UdpSegmentation(socket, areTrainsUsed);
        // Control frames are small, and few go to one destination: a plain read takes less room.
        _roomBytes = lane == PortLane.Data && areTrainsUsed && UdpSegmentation.TryCoalesce(socket) ? TrainRoomBytes : DatagramRoomBytes;
        _token = waiter.Add(this);
    }

    /// <inheritdoc/>
    public NodeAddress LocalAddress { get; }

    /// <summary>The kind of traffic it receives.</summary>
    public PortLane Lane { get; }

    /// <inheritdoc/>
    public IDatagramHandler? Handler { get; set; }

    /// <inheritdoc/>
    public Action? OnWritable { get; set; }

    /// <summary>What this port has done.</summary>
    public UdpCounters Counters { get; }

    /// <summary>
    /// The size of the receive buffer as the kernel reports it; Linux reports twice what it grants. A buffer smaller than requested loses
    /// bursts.
    /// </summary>
    public int ReceiveBufferBytes { get; }

    /// <summary>
    /// Whether several datagrams are sent in one call. False where the kernel has no segmentation offload. A destination whose trains were
    /// refused gets its datagrams one a call.
    /// </summary>
    public bool SendsSegmented => _segmentation.IsSupported;

    /// <summary>Whether trains are received in one call.</summary>
    public bool ReceivesCoalesced => _roomBytes == TrainRoomBytes;

    Socket IWaitTarget.Socket => _socket;

    /// <inheritdoc/>
    public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram)
    {
        if (!TryFind(to, out SocketAddress? address, out Destination? destination))
        {
            return SendStatus.Failed;
        }

        SocketError error = TrySend(address, datagram);
        if (error != SocketError.Success && _segmentation.IsSet && UdpSegmentation.IsRefusal(error))
        {
            // Not a train, but the path may refuse the segment size that is still set on the socket.
            _segmentation.Clear();
            error = TrySend(address, datagram);
            destination.TakesTrains &= error != SocketError.Success;
        }

        return Count(error, datagram.Length, 1);
    }

    /// <inheritdoc/>
    public SendStatus SendTrain(in NodeAddress to, ReadOnlySpan<byte> train, int packetBytes, out int doneBytes)
    {
        doneBytes = 0;
        if (!TryFind(to, out SocketAddress? address, out Destination? destination))
        {
            doneBytes = train.Length;
            return SendStatus.Failed;
        }

        if (destination.TakesTrains && _segmentation.TrySet(packetBytes))
        {
            SocketError error = TrySend(address, train);
            if (!UdpSegmentation.IsRefusal(error))
            {
                SendStatus status = Count(error, train.Length, (train.Length + packetBytes - 1) / packetBytes);
                Counters.Trains += status == SendStatus.Sent ? 1 : 0;
                doneBytes = status == SendStatus.WouldBlock ? 0 : train.Length;
                return status;
            }

            Counters.TrainsRefused++;
            _segmentation.Clear();
            // Only if the path takes the first packet by itself, it is trains that it does not take.
            error = TrySend(address, train[..Math.Min(packetBytes, train.Length)]);
            destination.TakesTrains &= error != SocketError.Success;
            SendStatus first = Count(error, Math.Min(packetBytes, train.Length), 1);
            if (first == SendStatus.WouldBlock)
            {
                return first;
            }

            doneBytes = Math.Min(packetBytes, train.Length);
        }

        return SendApart(address, train, packetBytes, ref doneBytes);
    }

    /// <summary>
    /// Closes the socket; datagrams that the core has queued for the handler are still delivered, unless <see cref="CoreLoop.Forget"/>
    /// follows. Core thread; safe from inside any callback.
    /// </summary>
    public void Dispose()
    {
        if (!_isClosed)
        {
            _isClosed = true;
            OnWritable = null;
            _waiter.Remove(_token);
            _owner.KernelDrops.Close(_kernelDrops);
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

    /// <summary>
    /// Reads at most <paramref name="readsMax"/> times, and about <paramref name="packetsMax"/> packets; returns how many were queued. The
    /// caller calls again while <paramref name="isDrained"/> is false.
    /// </summary>
    internal int Receive(IoQueue queue, int readsMax, int packetsMax, out bool isDrained)
    {
        int received = 0;
        for (int reads = 0; reads < readsMax && received < packetsMax && !_isClosed; reads++)
        {
            if (!queue.TryReserve(Lane, _roomBytes, out Span<byte> room))
            {
                isDrained = false;
                return received;
            }

            int length = _socket.Receive(room, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success && length is > 0 and < TrainRoomBytes && length < room.Length && Handler is { } handler)
            {
                int packets = queue.Commit(Lane, length, handler);
                Counters.Reads++;
                Counters.Received += packets;
                Counters.ReceivedBytes += length;
                received += packets;
                continue;
            }

            if (error == SocketError.WouldBlock)
            {
                isDrained = true;
                _isReadable = false;
                return received;
            }

            CountDropped(error, error == SocketError.Success && length == room.Length);
        }

        isDrained = _isClosed;
        return received;
    }

    private bool TryFind(
        in NodeAddress to, [NotNullWhen(true)] out SocketAddress? address, [NotNullWhen(true)] out Destination? destination)
    {
        destination = _isClosed ? null : _destinations.Find(to);
        address = destination?.Address;
        if (address is null && !_isClosed)
        {
            Counters.AddFailed(SocketError.AddressFamilyNotSupported);
        }

        return address is not null;
    }

    private SocketError TrySend(SocketAddress address, ReadOnlySpan<byte> bytes)
    {
        try
        {
            _socket.SendTo(bytes, SocketFlags.None, address);
            return SocketError.Success;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode;
        }
    }

    private SendStatus SendApart(SocketAddress address, ReadOnlySpan<byte> train, int packetBytes, ref int doneBytes)
    {
        SendStatus status = SendStatus.Sent;
        while (doneBytes < train.Length)
        {
            ReadOnlySpan<byte> packet = train.Slice(doneBytes, Math.Min(packetBytes, train.Length - doneBytes));
            SendStatus one = Count(TrySend(address, packet), packet.Length, 1);
            if (one == SendStatus.WouldBlock)
            {
                return one;
            }

            status = one == SendStatus.Failed ? one : status;
            doneBytes += packet.Length;
        }

        return status;
    }

    private SendStatus Count(SocketError error, int bytes, int datagrams)
    {
        switch (error)
        {
            case SocketError.Success:
                Counters.Sent += datagrams;
                Counters.SentBytes += bytes;
                return SendStatus.Sent;
            case SocketError.WouldBlock:
                Counters.WouldBlock++;
                WatchWritable(true);
                return SendStatus.WouldBlock;
            default:
                Counters.AddFailed(error);
                return SendStatus.Failed;
        }
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
