using Ripple.Engine.Releases;
using Ripple.Gms.Core;
using Ripple.Gms.Store;
using Ripple.Testing.Adversary.Checking;
using Ripple.Testing.Checking;
using Ripple.Testing.Cluster;
using Ripple.Testing.Oracles;
using Ripple.Testing.Signatures;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Adversary;

/// <summary>The attacker of a simulated cluster, with the checkers that only an attack needs.</summary>
internal sealed class AttackedCluster
{
    private const string Administrator = "administrator";

    /// <summary>The reads that one connection may have in progress, and a status.</summary>
    private const long AnswersMax = 17;

    // Two members of the captured one's region, which know what the other has verified.
    private const int SharingIndex1 = 2;
    private const int SharingIndex2 = 5;

    /// <summary>Less than any process needs to come back, so that the audit is told in time.</summary>
    private const long LookNs = 10_000_000;

    private const long AwayBeforeNs = 1_000_000_000;
    private const long AwayAfterNs = 3_000_000_000;
    private readonly SimulatedWorld _world;
    private readonly SimulatedCluster _cluster;
    private readonly AttackOptions _options;
    private readonly ForgeryChecker _forgery;
    private readonly ReceivingChecker _receiving;
    private int _askedLife;

    public AttackedCluster(SimulatedCluster cluster, SimulatedClient captured, SimulatedAuthority authority, AttackOptions options)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        ArgumentNullException.ThrowIfNull(captured);
        ArgumentNullException.ThrowIfNull(options);
        _cluster = cluster;
        _world = cluster.World;
        _options = options;
        captured.Capture();
        var member = new CapturedMember(captured, SimulatedCluster.Application);
        Attacker = new Attacker(_world, member, _world.Random.Fork(60), options with { Calms = cluster.Calms });
        _forgery = new ForgeryChecker(_world, cluster, Attacker, authority);
        _receiving = new ReceivingChecker(_world, cluster);
        var frozen = new FrozenChecker(_world, _receiving);
        _world.Observer = new DeliveryWatch(cluster, Attacker, _forgery, frozen);
        if (cluster.Clients.Count > SharingIndex2)
        {
            (SimulatedClient one, SimulatedClient two) = (cluster.Clients[SharingIndex1], cluster.Clients[SharingIndex2]);
            (one.SharesVerifierWith, two.SharesVerifierWith) = (two, one);
        }

        cluster.Host.Machine.Add(_forgery);
        cluster.Host.Machine.Add(new EpochChecker(_world, cluster));
        foreach (SimulatedClient client in cluster.Clients)
        {
            client.OnStateApplied = state => _forgery.OnApplied(client, state);
        }
    }

    /// <summary>The attacker.</summary>
    public Attacker Attacker { get; }

    /// <summary>Schedules the attack. Call once, at simulated time 0.</summary>
    public void Start()
    {
        Attacker.Start();
        _receiving.Start();
        if (_options.ExpelNs is { } expelNs)
        {
            _world.Scheduler.Schedule(expelNs, Expel);
            if (_options.IsAwayWhenExpelled)
            {
                _world.Scheduler.Schedule(expelNs - AwayBeforeNs, () => Attacker.Captured.Client.Machine.Crash());
                _world.Scheduler.Schedule(expelNs + AwayAfterNs, () => Attacker.Captured.Client.Machine.TryStart());
            }
        }
    }

    /// <summary>Called when a host is ready: registers the bounds of what an attacker could make it hold.</summary>
    public void OnHostReady(HostCore gms, BoundsChecker bounds)
    {
        ArgumentNullException.ThrowIfNull(bounds);
        bounds.Register("answers that wait for one connection", () => gms.AnswersWaitingMax, AnswersMax, _cluster.Host.Machine);
    }

    /// <summary>Called when the host commits a release.</summary>
    public void OnCommitted(ReleaseHeader header)
    {
        _forgery.OnCommitted(header);
        _receiving.OnCommitted(header);
    }

    /// <summary>An administrator revokes the captured member's token, and asks again until it is on the disk.</summary>
    private void Expel()
    {
        string token = Attacker.Captured.Client.Machine.Peer.TokenId;
        if (_cluster.Host.Disk.Image.Tokens[token].RevokedUnixMicros is not null)
        {
            _cluster.Oracles.Audit.OnAdministered(new AuditLine("token.revoke", Administrator, null, null, null));
            _forgery.OnExpelled();
            return;
        }

        int life = _cluster.Host.Machine.StartCount;
        if (_askedLife != life)
        {
            var change = AccessTokenChange.Revoke(token, _cluster.Host.UnixMicros, Administrator);
            _askedLife = _cluster.Host.TryCommit(change, result => _askedLife = result.IsDone ? life : 0) ? life : 0;
        }

        _world.Scheduler.Schedule(LookNs, Expel);
    }
}
