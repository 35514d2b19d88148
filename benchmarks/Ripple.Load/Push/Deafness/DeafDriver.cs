using System.Net;
using Ripple.Client.Running;
using Ripple.Client.Scheduling;
using Ripple.Client.Snapshots;
using Ripple.Client.Verification;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Transports.Links;

namespace Ripple.Load.Push.Deafness;

/// <summary>
/// A runtime whose ports drop what they receive, once it is told to: what a firewall does to a process that may send UDP and not take any.
/// </summary>
internal sealed class DeafDriver(IRuntimeDriver inner) : IRuntimeDriver
{
    private volatile bool _isDeaf;

    public CoreLoop Core => inner.Core;

    public CancellationToken Stopped => inner.Stopped;

    public Exception? Failure => inner.Failure;

    public IClientScheduler Scheduler => inner.Scheduler;

    public ISnapshotFiles Files => inner.Files;

    /// <summary>Drops every datagram from now on. Any thread.</summary>
    public void GoDeaf() => _isDeaf = true;

    public void Post(Request request) => inner.Post(request);

    public SharedVerifier AcquireVerifier(ReadOnlySpan<byte> fingerprint) => inner.AcquireVerifier(fingerprint);

    public INodeHandler Observe(INodeHandler handler) => inner.Observe(handler);

    public IDatagramPort OpenPort(IPAddress local, IPAddress? advertised, PortLane lane) =>
        new DeafPort(this, inner.OpenPort(local, advertised, lane));

    /// <summary>None: who takes no UDP is in no group.</summary>
    public IDatagramGroups? GroupsOn(IPAddress local) => null;

    public IClientConnector OpenConnector(LinkConnectorOptions options) => inner.OpenConnector(options);

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    private sealed class DeafPort : IDatagramPort, IDatagramHandler
    {
        private readonly DeafDriver _driver;
        private readonly IDatagramPort _port;

        public DeafPort(DeafDriver driver, IDatagramPort port)
        {
            _driver = driver;
            _port = port;
            _port.Handler = this;
        }

        public NodeAddress LocalAddress => _port.LocalAddress;

        public IDatagramHandler? Handler { get; set; }

        public Action? OnWritable
        {
            get => _port.OnWritable;
            set => _port.OnWritable = value;
        }

        public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram) => _port.Send(to, datagram);

        public SendStatus SendTrain(in NodeAddress to, ReadOnlySpan<byte> train, int packetBytes, out int doneBytes) =>
            _port.SendTrain(to, train, packetBytes, out doneBytes);

        public void OnDatagram(Span<byte> datagram)
        {
            if (!_driver._isDeaf)
            {
                Handler?.OnDatagram(datagram);
            }
        }

        public void Dispose() => _port.Dispose();
    }
}
