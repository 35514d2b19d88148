using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Transports.Running;

namespace Ripple.Transports.Udp;

/// <summary>
/// The UDP ports of one core: its source of datagrams. Reads only sockets that are ready, control sockets first, in rotation and each a few
/// times per turn, and leaves the rest in the kernel while the core's queue is full. Core thread (or, before the runner starts and after it
/// has ended, the thread that builds or tears down the core).
/// </summary>
internal sealed class UdpPorts : IIoSource, IDisposable
{
    private const int ReadsPerTurn = 8;
    private readonly CoreRunner _runner;
    private readonly List<UdpPort> _ports = [];
    private readonly Queue<UdpPort>[] _readable = [[], []];
    private readonly Queue<UdpPort> _writable = [];

    /// <summary>Makes the collection for a runner's core, without any ports.</summary>
    public UdpPorts(CoreRunner runner)
    {
        _runner = runner;
        AssertOnCore();
        runner.Loop.Add(this);
    }

    /// <summary>
    /// Datagrams the kernel dropped because the receive buffer of one of these ports was full, closed ports included. A system call per
    /// port. Any thread. 0 where the system does not report it (all but Linux).
    /// </summary>
    public long KernelDropped => KernelDrops.Sum();

    internal KernelDropTable KernelDrops { get; } = new();

    /// <summary>Opens a port. The caller owns it.</summary>
    /// <exception cref="ArgumentException">The local address is an "any" address, and no advertised one is given.</exception>
    /// <exception cref="System.Net.Sockets.SocketException">The system refused the address or the port.</exception>
    public UdpPort Open(UdpPortOptions? options = null)
    {
        AssertOnCore();
        options ??= new();
        if (options.AdvertisedAddress is null
            && (options.LocalAddress.Equals(IPAddress.Any) || options.LocalAddress.Equals(IPAddress.IPv6Any)))
        {
            throw new ArgumentException(
                $"A port at {options.LocalAddress} listens everywhere, but others need one address to send to: "
                    + $"set {nameof(UdpPortOptions.AdvertisedAddress)}.",
                nameof(options));
        }

        var port = new UdpPort(this, _runner.Waiter, options);
        _ports.Add(port);
        return port;
    }

    /// <summary>
    /// Opens a port that receives the datagrams sent to a multicast group, and no others where the system can separate them. Not for
    /// sending. The caller owns it.
    /// </summary>
    /// <exception cref="ArgumentException">The address is not a multicast group, or the interface is of another address family.</exception>
    /// <exception cref="System.Net.Sockets.SocketException">The system refused the group, the interface or the port.</exception>
    public UdpPort OpenGroup(UdpGroupOptions options)
    {
        AssertOnCore();
        bool isGroup = options.Group.AddressFamily == AddressFamily.InterNetwork
            ? options.Group.GetAddressBytes()[0] is >= 224 and <= 239
            : options.Group.IsIPv6Multicast;
        if (!isGroup || options.Group.AddressFamily != options.Interface.AddressFamily)
        {
            throw new ArgumentException(
                isGroup
                    ? $"The group {options.Group} cannot be joined on the interface {options.Interface}, "
                        + $"which is of another address family: name an address of the group's."
                    : $"{options.Group} is no multicast group: those are 224.0.0.0 to 239.255.255.255, and ff00::/8.",
                nameof(options));
        }

        var port = new UdpPort(this, _runner.Waiter, options);
        _ports.Add(port);
        return port;
    }

    /// <inheritdoc/>
    public bool HasWaiting(PortLane lane) => _readable[(int)lane].Count > 0;

    /// <inheritdoc/>
    public int Drain(IoQueue queue, int packetsMax)
    {
        if (_ports.Count == 0)
        {
            return 0;
        }

        _runner.Waiter.Poll();
        int work = 0;
        for (int i = _writable.Count; i > 0; i--)
        {
            work++;
            _writable.Dequeue().OnWritable?.Invoke();
        }

        return work + Drain(queue, PortLane.Control, packetsMax) + Drain(queue, PortLane.Data, packetsMax);
    }

    /// <summary>Closes all ports and detaches from the core.</summary>
    public void Dispose()
    {
        AssertOnCore();
        foreach (UdpPort port in _ports.ToArray())
        {
            port.Dispose();
        }

        _runner.Loop.Remove(this);
    }

    internal void OnReadable(UdpPort port) => _readable[(int)port.Lane].Enqueue(port);

    internal void OnWritable(UdpPort port) => _writable.Enqueue(port);

    internal void OnClosed(UdpPort port) => _ports.Remove(port);

    /// <summary>
    /// Fills the lane's queue up to <paramref name="packetsMax"/> packets: more would only wait there, and are better left in the kernel.
    /// </summary>
    private int Drain(IoQueue queue, PortLane lane, int packetsMax)
    {
        Queue<UdpPort> readable = _readable[(int)lane];
        int packetsFree = packetsMax - queue.CountOf(lane);
        int received = 0;
        int left = 0;
        for (int i = readable.Count; i > 0 && received < packetsFree; i--)
        {
            UdpPort port = readable.Dequeue();
            received += port.Receive(queue, ReadsPerTurn, packetsFree - received, out bool isDrained);
            if (!isDrained)
            {
                // This counts as work: it is not reported again, and the core must not sleep meanwhile.
                readable.Enqueue(port);
                left++;
            }
        }

        return received + left;
    }

    private void AssertOnCore()
    {
        if (!_runner.IsOnCore)
        {
            throw new InvalidOperationException("Ports belong to the core thread: open and close them through CoreRunner.RunAsync.");
        }
    }
}
