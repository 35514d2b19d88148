using Ripple.Engine.Frontier;
using Ripple.Engine.Releases;
using Ripple.Testing.Checking;
using Ripple.Testing.Cluster;
using Ripple.Testing.Oracles;
using Ripple.Testing.Signatures;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Adversary.Checking;

/// <summary>
/// Nothing forged takes effect: the host begins no generation, a forged word moves no row of an honest member that is told directly, none
/// is in a generation that never began, no honest member is said to have rejected what it did not, no node keeps a signature that nobody
/// made, and nobody hears a member that was expelled. That no node has a release that was not committed, and that each is made of a publish
/// that a publisher asked for, is judged in every run.
/// </summary>
/// <remarks>Levels and rejections that a ring told may be lies, for those who believe the ring: what was told directly may not.</remarks>
internal sealed class ForgeryChecker(SimulatedWorld world, SimulatedCluster cluster, Attacker attacker, SimulatedAuthority authority)
    : IChecker
{
    /// <summary>A host looks at its tokens four times a second, may be paused for 8 s, and takes the old key for 2 s more.</summary>
    private const long FormerNsMax = 12_000_000_000;

    private readonly SortedDictionary<(ulong Node, ulong Incarnation), RowWords> _before = [];
    private readonly SortedDictionary<ulong, NodeRecord> _byNode = [];
    private uint _generation;
    private long _expelledNs = long.MaxValue - FormerNsMax;
    private long _version = -1;
    private FrontierTable? _table;

    /// <inheritdoc/>
    public string Name => "Forgery";

    private FrontierTable? Table => cluster.Host.Gms?.FrontierOf(SimulatedCluster.Application)?.Table;

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (Table is not { } table
            || (ReferenceEquals(table, _table) && table.Version == _version))
        {
            return;
        }

        _table = table;
        _version = table.Version;
        foreach (FrontierRow row in table.Rows)
        {
            CheckRejections(row);
            if (row.Generation > Math.Max(1, _generation) && !IsCaptured(row))
            {
                world.Fail(Name, $"the row of {row.Member.Name} is in generation {row.Generation}, which never began");
            }
        }
    }

    /// <summary>Called before the host handles something forged.</summary>
    public void BeforeForged()
    {
        _before.Clear();
        foreach (FrontierRow row in Table?.Rows ?? [])
        {
            if (!IsCaptured(row))
            {
                _before[(row.Member.Node.Low, row.Member.Incarnation)] = RowWords.Of(row);
            }
        }
    }

    /// <summary>Called after the host has handled it.</summary>
    /// <param name="kind">The kind of forgery.</param>
    /// <param name="isOwnFrame">Whether it came on the captured member's own connection, which speaks for that member alone.</param>
    public void AfterForged(string kind, bool isOwnFrame)
    {
        foreach (FrontierRow row in Table?.Rows ?? [])
        {
            if (!_before.TryGetValue((row.Member.Node.Low, row.Member.Incarnation), out RowWords before))
            {
                continue;
            }

            var after = RowWords.Of(row);
            if (!(isOwnFrame ? after == before : after.IsDirectlyAs(before)))
            {
                world.Fail(Name, $"one forgery ({kind}) changed the row of {row.Member.Name} from {before} to {after}");
            }
        }
    }

    /// <summary>Called when the captured member's token was revoked.</summary>
    public void OnExpelled() => _expelledNs = world.Scheduler.NowNs;

    /// <summary>Called when a receiver that nothing disturbed has opened something forged.</summary>
    public void OnOpened(SimulatedMachine machine, string kind)
    {
        if (world.Scheduler.NowNs > _expelledNs + FormerNsMax)
        {
            world.Fail(Name, $"{machine} opened what a member that was expelled long ago forged ({kind})");
        }
    }

    /// <summary>Called when the host commits a release.</summary>
    public void OnCommitted(ReleaseHeader header)
    {
        ArgumentNullException.ThrowIfNull(header);
        if (_generation > 0 && header.Generation > _generation)
        {
            world.Fail(Name, $"generation {header.Generation} began at release {header.Release}; nothing was restored");
        }

        _generation = header.Generation;
    }

    /// <summary>Called when a client has put a state in effect.</summary>
    public void OnApplied(SimulatedClient client, ApplicationState state)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(state);
        if (state.Proof is { } proof && !authority.Verify(proof.Signature, proof.Signed.Id))
        {
            world.Fail(Name, $"{client.Machine} keeps as the proof of {state.Keys.Release} a signature that nobody made");
        }
    }

    private void CheckRejections(FrontierRow row)
    {
        if (row.DirectRejections.Count == 0 || IsCaptured(row) || row.Member.IsHost)
        {
            return;
        }

        if (_byNode.Count == 0)
        {
            foreach (SimulatedClient client in cluster.Clients)
            {
                _byNode[client.Machine.Peer.NodeIdLow] = client.RecordOf(SimulatedCluster.Application)!;
            }
        }

        foreach (FrontierRejection rejection in row.DirectRejections)
        {
            if (_byNode.TryGetValue(row.Member.Node.Low, out NodeRecord? node)
                && !node.HasRejected(row.Generation, rejection.Release))
            {
                world.Fail(Name, $"{row.Member.Name} is said to have rejected {rejection.Release} ({rejection.Reason}), and did not");
            }
        }
    }

    private bool IsCaptured(FrontierRow row) => row.Member.Node.Low == attacker.Captured.Client.Machine.Peer.NodeIdLow;
}
