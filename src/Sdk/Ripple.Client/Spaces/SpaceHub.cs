using Ripple.Client.Running;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.Events;

namespace Ripple.Client.Spaces;

/// <summary>
/// A client's events in all spaces: what it emits and subscribes to, on the connection of the moment. Leaves room in the link for the
/// node's other messages. Core thread, but for what says otherwise.
/// </summary>
/// <param name="dispatcher">The way into the core.</param>
internal sealed class SpaceHub(CoreDispatcher dispatcher) : INodeEvents
{
    private const int ReservedBytes = 32_768;
    private const long PollNs = 2_000_000;
    private const long BusyNs = 50_000_000;

    private readonly SortedDictionary<string, SpaceTraffic> _byApplication = new(StringComparer.Ordinal);
    private Alarm? _again;
    private Alarm? _busy;
    private Func<ILink?> _link = () => null;
    private ulong _epoch;
    private ulong _hostIncarnation;
    private int _isAckAsked;
    private bool _isStopped;

    /// <summary>The spaces.</summary>
    public IReadOnlyCollection<SpaceTraffic> All => _byApplication.Values;

    /// <summary>The number of this client since its start: with its node it names its events and its sessions.</summary>
    public ulong Epoch
    {
        get
        {
            while (_epoch == 0)
            {
                _epoch = dispatcher.Core.Random.NextUInt64();
            }

            return _epoch;
        }
    }

    /// <summary>Begins with a node.</summary>
    /// <param name="link">The link of the moment, once joined; null without one.</param>
    public void Start(Func<ILink?> link) => _link = link;

    /// <summary>The space of an application.</summary>
    public SpaceTraffic Of(string application)
    {
        if (!_byApplication.TryGetValue(application, out SpaceTraffic? traffic))
        {
            traffic = new SpaceTraffic(this, application);
            _byApplication.Add(application, traffic);
        }

        return traffic;
    }

    /// <summary>A host let the node in: subscriptions and what is not delivered are sent to it.</summary>
    public void OnJoined(ulong hostIncarnation)
    {
        bool isSameHost = hostIncarnation == _hostIncarnation;
        _hostIncarnation = hostIncarnation;
        foreach (SpaceTraffic traffic in _byApplication.Values)
        {
            traffic.OnJoined(isSameHost);
        }

        Pump();
    }

    /// <summary>Sends what waits, as far as the link has room.</summary>
    public void Pump()
    {
        if (_isStopped || _link() is not { } link)
        {
            return;
        }

        foreach (SpaceTraffic traffic in _byApplication.Values)
        {
            if (!traffic.TrySend(link))
            {
                _again ??= new Alarm(Pump);
                dispatcher.Core.Alarms.ScheduleNoLater(_again, dispatcher.Core.NowNs + PollNs);
                return;
            }
        }
    }

    /// <summary>Sends acknowledgments with one of the next turns of the core. Any thread but the core's.</summary>
    public void AckSoon()
    {
        if (Interlocked.CompareExchange(ref _isAckAsked, 1, 0) == 0)
        {
            dispatcher.Complete(Ack);
        }
    }

    /// <summary>Runs an action on the core. Any thread but the core's.</summary>
    public void Post(Action action) => dispatcher.Complete(action);

    /// <summary>Ends everything: what is not delivered by now is lost with the client.</summary>
    public void Stop(Exception reason)
    {
        _isStopped = true;
        foreach (Alarm? alarm in (ReadOnlySpan<Alarm?>)[_again, _busy])
        {
            if (alarm is not null)
            {
                dispatcher.Core.Alarms.Cancel(alarm);
            }
        }

        foreach (SpaceTraffic traffic in _byApplication.Values)
        {
            traffic.Stop(reason);
        }

        _byApplication.Clear();
    }

    /// <inheritdoc/>
    public void OnDelivery(EventDelivery delivery)
    {
        if (_byApplication.TryGetValue(delivery.Application, out SpaceTraffic? traffic))
        {
            traffic.Subscriptions.OnDelivery(delivery);
            Pump();
        }
    }

    /// <inheritdoc/>
    public void OnEmitted(EmitResult result)
    {
        if (_byApplication.TryGetValue(result.Application, out SpaceTraffic? traffic))
        {
            traffic.Emissions.OnEmitted(result);
        }
    }

    /// <inheritdoc/>
    public void OnEnded(SubscriptionEnded ended)
    {
        if (_byApplication.TryGetValue(ended.Application, out SpaceTraffic? traffic))
        {
            traffic.Subscriptions.OnEnded(ended);
        }
    }

    /// <summary>Sends again a while after a host was busy.</summary>
    internal void AgainAfterBusy()
    {
        _busy ??= new Alarm(OnBusyPassed);
        dispatcher.Core.Alarms.ScheduleNoLater(_busy, dispatcher.Core.NowNs + BusyNs);
    }

    /// <summary>Whether the link has room for so many bytes, beside those that are kept free for others.</summary>
    internal static bool HasRoom(ILink link, int bytes) => link.SendRoomBytes >= bytes + ReservedBytes;

    private void OnBusyPassed()
    {
        foreach (SpaceTraffic traffic in _byApplication.Values)
        {
            traffic.Emissions.OnBusyPassed();
            traffic.Subscriptions.OnBusyPassed();
        }

        Pump();
    }

    private void Ack()
    {
        Volatile.Write(ref _isAckAsked, 0);
        Pump();
    }
}

/// <summary>A client's events in one space. Core thread.</summary>
internal sealed class SpaceTraffic(SpaceHub hub, string application)
{
    /// <summary>What it emits.</summary>
    public Emissions Emissions { get; } = new(hub, application);

    /// <summary>What it subscribes to.</summary>
    public Subscriptions Subscriptions { get; } = new(hub, application);

    public void OnJoined(bool isSameHost)
    {
        Subscriptions.OnJoined(isSameHost);
        Emissions.OnJoined();
    }

    /// <summary>Sends what waits; false if the link has no room for more.</summary>
    public bool TrySend(ILink link) => Subscriptions.TrySend(link) && Emissions.TrySend(link);

    public void Stop(Exception reason)
    {
        Subscriptions.Stop(reason);
        Emissions.Stop(reason);
    }
}
