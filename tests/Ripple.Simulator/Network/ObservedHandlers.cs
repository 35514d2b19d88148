using Ripple.Engine.Core;

namespace Ripple.Simulator.Network;

/// <summary>Stand between a port and its own handler while deliveries are observed: one for each kind of forgery.</summary>
internal sealed class ObservedHandlers(SimulatedPort port, IDeliveryObserver observer)
{
    private readonly List<Observed> _handlers = [];

    /// <summary>The handler of datagrams of a kind; 0 is genuine.</summary>
    public IDatagramHandler Of(int forgery)
    {
        while (_handlers.Count <= forgery)
        {
            _handlers.Add(new Observed(port, observer, _handlers.Count));
        }

        return _handlers[forgery];
    }

    /// <summary>Makes the core drop the datagrams that still wait for these handlers.</summary>
    public void Forget(CoreLoop core)
    {
        foreach (Observed handler in _handlers)
        {
            core.Forget(handler);
        }
    }

    private sealed class Observed(SimulatedPort port, IDeliveryObserver observer, int forgery) : IDatagramHandler
    {
        public void OnDatagram(Span<byte> datagram)
        {
            observer.BeforeDatagram(port, datagram, forgery);
            port.Handler?.OnDatagram(datagram);
            observer.AfterDatagram(port, forgery);
        }
    }
}
