using Ripple.Client;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Network;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster;

/// <content>Who takes part, and as what.</content>
public sealed partial class SimulatedCluster
{
    private SimulatedClient AddClient(
        string name, string zone, string role, string application, SimulatedAuthority authority, double rejectShare, int index)
    {
        var peer = new LinkPeer
        {
            Kind = LinkPeerKind.Node,
            Application = application,
            Role = role,
            Name = name,
            TokenId = TokenIdOf(index, name),
            NodeIdHigh = 1,
            NodeIdLow = (ulong)index + 1,
        };
        SimulatedMachine machine = World.AddMachine(name, zone, peer, MachineOptions());
        var options = new NodeOptions
        {
            Application = application,
            Zone = zone,
            Name = name,
            Limits = _options.NodeLimits,
        };
        options = index < _options.Nodes ? _options.TuneNode?.Invoke(index, options) ?? options : options;
        GroupReach reach = (index % 5) switch { 2 => GroupReach.None, 3 => GroupReach.Silent, _ => GroupReach.Whole };
        if (_options.RealClientsEvery == 0 || (index % _options.RealClientsEvery != 0 && index < _options.Nodes))
        {
            return new SimulatedClient(World, machine, authority, options)
            {
                RejectShare = rejectShare,
                GroupReach = reach,
                VerifyNs = _options.VerifyNs,
            };
        }

        StartupMode mode = index % 2 == 0 ? StartupMode.UseSnapshot : StartupMode.Background;
        // Those of the imitation that reject may have no real ones among them.
        double share = index % 4 == 2 ? _options.RejectShare : rejectShare;
        bool isHosted = _options.HostedEvery > 0
            && index < _options.Nodes
            && index / _options.RealClientsEvery % _options.HostedEvery == _options.HostedEvery - 1;
        return isHosted
            ? new SimulatedHostedClient(World, machine, authority, options, mode)
            {
                RejectShare = share,
                GroupReach = reach,
                WatchesHistory = _options.WatchesHistory,
            }
            : new SimulatedRippleClient(World, machine, authority, options, mode)
            {
                RejectShare = share,
                GroupReach = reach,
                WatchesHistory = _options.WatchesHistory,
            };
    }

    private string TokenIdOf(int index, string name)
    {
        if (_options.Attack is not null && index == CapturedIndex)
        {
            return ClusterTokens.Captured;
        }

        return Has(ClusterFaults.Revocation) ? $"of-{name}" : TokenId;
    }
}
