using Ripple.Engine.Core;
using Ripple.Gms.Store;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// Revokes the tokens of nodes at any time, and gives each node a new one some seconds later, with which its process starts again. Writes
/// to the store as another process of the host's machine does.
/// </summary>
internal sealed class Administrator
{
    private const long MeanNs = 8_000_000_000;
    private const long AwayNsMin = 1_000_000_000;
    private const long AwayNsMax = 8_000_000_000;
    private const long AgainNs = 5_000_000_000;
    private const string Name = "administrator";
    private readonly SimulatedWorld _world;
    private readonly SimulatedHost _host;
    private readonly IReadOnlyList<SimulatedClient> _clients;
    private readonly ClusterOracles _oracles;
    private readonly DeterministicRandom _random;
    private readonly long _untilNs;
    private int _tokenCount;
    private int _revokeCount;

    /// <summary>Creates an administrator who has not done anything.</summary>
    public Administrator(
        SimulatedWorld world,
        SimulatedHost host,
        IReadOnlyList<SimulatedClient> clients,
        ClusterOracles oracles,
        DeterministicRandom random,
        long untilNs)
    {
        _world = world;
        _host = host;
        _clients = clients;
        _oracles = oracles;
        _random = random;
        _untilNs = untilNs;
    }

    /// <summary>Begins. Call once, when all nodes have their first tokens.</summary>
    public void Start()
    {
        if (_world.Script.Place(_random, $"revoke {++_revokeCount}"))
        {
            _world.Scheduler.Schedule(1 + _random.NextInt64(2 * MeanNs), () => Next(_revokeCount));
        }
    }

    private void Next(int number)
    {
        // The node must be back before the quiet end.
        if (_world.Scheduler.NowNs > _untilNs - AwayNsMax)
        {
            return;
        }

        SimulatedClient client = _clients[_random.NextInt32(_clients.Count)];
        if (_world.Script.Takes(RunItem.Fault, $"revoke-{number}") && !client.Machine.IsAbsent)
        {
            Revoke(client);
        }

        Start();
    }

    private void Revoke(SimulatedClient client)
    {
        string token = client.Machine.Peer.TokenId;
        _oracles.Members.Doubt(client.Machine, _world.Scheduler.NowNs + AwayNsMax);
        var line = new AuditLine("token.revoke", Name, null, null, token);
        Commit(AccessTokenChange.Revoke(token, _host.UnixMicros, Name), line, () => Revoke(client), () =>
        {
            _world.Faults.Add("tokenRevoked");
            _world.Trace?.Add(TraceKind.Noted, client.Machine, "its token is revoked");
            _world.Script.Place(_random, $"enroll {token}");
            _oracles.Revocations.OnRevoked(token);
            _world.Scheduler.Schedule(AwayNsMin + _random.NextInt64(AwayNsMax - AwayNsMin), () => Enroll(client));
        });
    }

    /// <summary>Called when the disk is an older one: tokens that it does not know, or knows as revoked, are replaced.</summary>
    public void OnRestored()
    {
        foreach (SimulatedClient client in _clients)
        {
            if (!_host.Disk.Image.Tokens.TryGetValue(client.Machine.Peer.TokenId, out AccessToken? token)
                || token.RevokedUnixMicros is not null)
            {
                _world.Script.Place(_random, $"restored {client.Machine}");
                _world.Scheduler.Schedule(AwayNsMin + _random.NextInt64(AwayNsMin), () => Enroll(client));
            }
        }
    }

    private void Enroll(SimulatedClient client)
    {
        // A commit without an answer may have made the token: another attempt needs another id.
        string id = $"again{++_tokenCount}";
        var line = new AuditLine("token.create", Name, ClusterTokens.ApplicationOf(id), null, null);
        Commit(AccessTokenChange.Create(ClusterTokens.Make(id), Name), line, () => Enroll(client), () =>
        {
            client.Machine.Peer = client.Machine.Peer with { TokenId = id };
            _world.Faults.Add("enrolledAgain");
            _world.Trace?.Add(TraceKind.Noted, client.Machine, "it has a new token");
            if (client.Machine.IsRunning)
            {
                client.Machine.Crash();
                client.Machine.Start();
            }
        });
    }

    /// <summary>Commits, and does it again when there is no answer, or a refusal, for some time.</summary>
    private void Commit(AccessTokenChange change, AuditLine line, Action again, Action done)
    {
        bool isOver = false;
        _oracles.Audit.OnAttempted(line);
        _host.TryCommit(change, result =>
        {
            if (result.IsDone)
            {
                _oracles.Audit.OnAdministered(line);
                if (!isOver)
                {
                    isOver = true;
                    done();
                }
            }
        });
        _world.Scheduler.Schedule(AgainNs, () =>
        {
            if (!isOver)
            {
                isOver = true;
                again();
            }
        });
    }
}
