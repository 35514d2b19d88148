using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Wire;
using Ripple.Testing.Adversary.Checking;
using Ripple.Testing.Cluster;
using Ripple.Testing.Network;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Adversary;

/// <summary>
/// Stands beside every delivery of a run: counts what became of the forged ones, lets the checkers compare before and after, and tells the
/// attacker what its captured member saw.
/// </summary>
internal sealed class DeliveryWatch : IDeliveryObserver
{
    private readonly SimulatedCluster _cluster;
    private readonly Attacker _attacker;
    private readonly ForgeryChecker _forgery;
    private readonly DeafnessChecker _deafness;
    private readonly FrozenChecker _frozen;
    private readonly SortedDictionary<int, SimulatedClient> _clients = [];
    private NodeReading? _node;
    private HostReading? _host;
    private PacketHeader _header;

    /// <param name="cluster">The cluster.</param>
    /// <param name="attacker">The attacker.</param>
    /// <param name="forgery">Judges what something forged changed.</param>
    /// <param name="frozen">Judges what members do with what they are brought.</param>
    public DeliveryWatch(SimulatedCluster cluster, Attacker attacker, ForgeryChecker forgery, FrozenChecker frozen)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        ArgumentNullException.ThrowIfNull(attacker);
        _cluster = cluster;
        _attacker = attacker;
        _forgery = forgery;
        _deafness = new DeafnessChecker(cluster.World);
        _frozen = frozen;
        foreach (SimulatedClient client in cluster.Clients)
        {
            _clients[client.Machine.Index] = client;
        }

        SimulatedMachine captured = attacker.Captured.Client.Machine;
        var strangers = new StrangerChecker(cluster.World);
        cluster.World.Network.Tap = (from, to, bytes) =>
        {
            if (from == SimulatedNetwork.AddressOf(captured, from.Port))
            {
                attacker.Captured.OnDatagram(bytes);
            }
            else if (from == SimulatedNetwork.AddressOf(cluster.Host.Machine, from.Port))
            {
                strangers.OnSent(to, bytes.Length);
            }
            else if (cluster.Clients.Any(c => !c.IsCaptured && from == SimulatedNetwork.AddressOf(c.Machine, from.Port)))
            {
                strangers.OnSentByMember(to, bytes.Length);
            }
        };
    }

    /// <inheritdoc/>
    public void BeforeDatagram(SimulatedPort port, ReadOnlySpan<byte> datagram, int forgery)
    {
        _ = PacketHeader.TryRead(datagram, out _header);
        if (forgery == 0 && ReferenceEquals(port.Machine, _attacker.Captured.Client.Machine))
        {
            _attacker.Captured.OnDatagram(datagram);
        }

        Read(port.Machine);
        if (forgery > 0 && _host is not null)
        {
            _forgery.BeforeForged();
        }
    }

    /// <inheritdoc/>
    public void AfterDatagram(SimulatedPort port, int forgery)
    {
        (NodeReading? node, HostReading? host) = (_node, _host);
        Read(port.Machine);
        if (forgery > 0)
        {
            bool isOpened = (node is { } n && _node?.IsOpenedSince(n) == true) || (host is { } h && _host?.IsOpenedSince(h) == true);
            bool isNew = (node is { } m && _node?.IsNewSince(m) == true) || (host is { } g && _host?.IsNewSince(g) == true);
            _attacker.Tally.OnHandled(forgery, isOpened, isNew);
            if (isOpened && !_attacker.IsReplay(forgery) && (host is not null || !_cluster.HasFaults))
            {
                _forgery.OnOpened(port.Machine, _attacker.NameOf(forgery));
            }

            if (host is not null && _host is not null)
            {
                _forgery.AfterForged(_attacker.NameOf(forgery), isOwnFrame: false);
            }

            return;
        }

        if (node is { } before && _node is { } after && _clients[port.Machine.Index] is { IsCaptured: false } client)
        {
            _deafness.OnHandled(client, _header, isOpened: after.Refused == before.Refused);
        }
        else if (host is { } hostBefore && _host is { } hostAfter)
        {
            _deafness.OnHandledByHost(_cluster.Host, _header, isOpened: hostAfter.Refused == hostBefore.Refused);
        }
    }

    /// <inheritdoc/>
    public void BeforeFrame(SimulatedLink link, ushort type, ReadOnlySpan<byte> body, int forgery)
    {
        SimulatedMachine captured = _attacker.Captured.Client.Machine;
        if (forgery == 0)
        {
            if ((MessageType)type == MessageType.CatchUpEnd
                && _clients.TryGetValue(link.Machine.Index, out SimulatedClient? client)
                && !client.IsCaptured
                && MessageCodec.TryRead(body, out CatchUpEnd? end) == DecodeStatus.Ok)
            {
                _frozen.OnBrought(client, end!.Generation, end.Release);
            }

            if (ReferenceEquals(link.Machine, captured))
            {
                _attacker.Captured.OnFrame(type, body);
            }
            else if (ReferenceEquals(link.Other.Machine, captured))
            {
                _attacker.Captured.OnSentFrame(type, body);
            }

            return;
        }

        Read(link.Machine);
        if (_host is not null)
        {
            _forgery.BeforeForged();
        }
    }

    /// <inheritdoc/>
    public void AfterFrame(SimulatedLink link, ushort type, int forgery)
    {
        if (forgery == 0)
        {
            return;
        }

        HostReading? host = _host;
        Read(link.Machine);
        bool isOpened = host is { } before && _host?.IsOpenedSince(before) == true;
        bool isJoin = (MessageType)type == MessageType.Join && link.IsOpen && host is { } h && _host?.JoinsRefused == h.JoinsRefused;
        bool isNew = host is { } older && _host?.IsNewSince(older) == true;
        _attacker.Tally.OnHandled(forgery, isOpened, isNew || isJoin);
        if (host is not null && _host is not null)
        {
            _forgery.AfterForged(_attacker.NameOf(forgery), isOwnFrame: true);
        }
    }

    private void Read(SimulatedMachine machine)
    {
        _node = _clients.TryGetValue(machine.Index, out SimulatedClient? client) ? NodeReading.Of(client.Node) : null;
        _host = ReferenceEquals(machine, _cluster.Host.Machine)
            ? HostReading.Of(_cluster.Host.Gms, SimulatedCluster.Application)
            : null;
    }
}
