using System.Net;
using Ripple.Engine.Core;
using Ripple.Transports.Running;

namespace Ripple.Transports.Udp;

/// <summary>
/// The UDP ports of one core: its source of datagrams. Reads only sockets that are ready, each a few times a turn and in turn, and leaves the rest in the kernel
/// while the core's queue is full. Core thread (or, before the runner starts or after it ended, whoever builds or takes down).
/// </summary>
public sealed class UdpPorts : IIoSource, IDisposable
{
    private const int ReadsPerTurn = 8;
    private readonly CoreRunner _runner;
    private readonly List<UdpPort> _ports = [];
    private readonly Queue<UdpPort> _readable = [];
    private readonly Queue<UdpPort> _writable = [];

    /// <summary>Makes the ports of a runner's core, none yet.</summary>
    public UdpPorts(CoreRunner runner)
    {
        ArgumentNullException.ThrowIfNull(runner);
        _runner = runner;
        AssertOnCore();
        runner.Loop.Add(this);
    }

    /// <summary>Opens a port. The caller owns it.</summary>
    /// <exception cref="ArgumentException">The local address is an "any" address, and no advertised one is given.</exception>
    /// <exception cref="System.Net.Sockets.SocketException">The system refused the address or the port.</exception>
    public UdpPort Open(UdpPortOptions? options = null)
    {
        AssertOnCore();
        options ??= new();
        if (options.AdvertisedAddress is null && (options.LocalAddress.Equals(IPAddress.Any) || options.LocalAddress.Equals(IPAddress.IPv6Any)))
        {
            throw new ArgumentException($"A port at {options.LocalAddress} listens everywhere, but others need one address to send to: set {nameof(UdpPortOptions.AdvertisedAddress)}.", nameof(options));
        }

        var port = new UdpPort(this, _runner.Waiter, options);
        _ports.Add(port);
        return port;
    }

    /// <inheritdoc/>
    public int Drain(IoQueue queue, int datagramsMax)
    {
        ArgumentNullException.ThrowIfNull(queue);
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

        int received = 0;
        for (int i = _readable.Count; i > 0 && received < datagramsMax && queue.HasRoom; i--)
        {
            UdpPort port = _readable.Dequeue();
            received += port.Receive(queue, Math.Min(ReadsPerTurn, datagramsMax - received), out bool isDrained);
            if (!isDrained)
            {
                _readable.Enqueue(port);
            }
        }

        return work + received;
    }

    /// <summary>Closes all ports and leaves the core.</summary>
    public void Dispose()
    {
        AssertOnCore();
        foreach (UdpPort port in _ports.ToArray())
        {
            port.Dispose();
        }

        _runner.Loop.Remove(this);
    }

    internal void OnReadable(UdpPort port) => _readable.Enqueue(port);

    internal void OnWritable(UdpPort port) => _writable.Enqueue(port);

    internal void OnClosed(UdpPort port) => _ports.Remove(port);

    private void AssertOnCore()
    {
        if (!_runner.IsOnCore)
        {
            throw new InvalidOperationException("Ports belong to the core thread: open and close them through CoreRunner.RunAsync.");
        }
    }
}
