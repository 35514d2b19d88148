using Ripple.Engine.Frontier.Predicates;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Frontier;

/// <summary>
/// A host's commit rule, expressed as an ordinary predicate: MIN($REPLICAS.persisted.direct) over the replicas of one slot epoch. The epoch
/// is the table's generation, so that acknowledgements of an older epoch are ignored. No replica is discounted: a lost replica blocks
/// commits until the control store has created a new epoch, which is a new object. Belongs to the core thread.
/// </summary>
internal sealed class CommitPredicate
{
    /// <summary>The predicate's text.</summary>
    public const string Text = "MIN($REPLICAS.persisted.direct)";

    private readonly FrontierTable _table;
    private readonly BoundPredicate _bound;

    /// <param name="application">The application or slot, for messages.</param>
    /// <param name="slotEpoch">The epoch of the replica set.</param>
    /// <param name="replicas">The primary and the backups: one or more different nodes, each a host and a replica.</param>
    /// <param name="replicasMin">The fewest replicas needed to commit. Default 1.</param>
    /// <exception cref="ArgumentException">Too few replicas, a member that is not a replica, or one listed twice: the replica set is not
    /// the agreed one.</exception>
    public CommitPredicate(string application, uint slotEpoch, IReadOnlyList<FrontierMember> replicas, int replicasMin = 1)
    {
        ArgumentNullException.ThrowIfNull(replicas);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(replicasMin);
        if (replicas.Count < replicasMin)
        {
            throw new ArgumentException(
                $"{application} has {replicas.Count} replicas in epoch {slotEpoch} and needs {replicasMin} to commit.", nameof(replicas));
        }

        _table = new FrontierTable(application, slotEpoch, replicas.Count);
        foreach (FrontierMember replica in replicas)
        {
            if (replica is not { IsHost: true, IsReplica: true } || FindRow(replica.Node) is not null || !_table.TryAdd(replica, out _))
            {
                throw new ArgumentException(
                    $"{replica.Name} is no replica of {application} in epoch {slotEpoch}, or is listed twice.", nameof(replicas));
            }
        }

        PredicateError? error = null;
        if (!PredicateParser.TryParse(Text, out Predicate? predicate, out error)
            || !predicate.TryBind(new BindingContext { Table = _table, CountLeft = true }, out BoundPredicate? bound, out error))
        {
            throw new ArgumentException(error.Message, nameof(replicas));
        }

        _bound = bound;
    }

    /// <summary>The epoch.</summary>
    public uint SlotEpoch => _table.Generation;

    /// <summary>The newest release that every replica has on disk along with all before it; 0 for none. Only grows.</summary>
    public ulong Committed { get; private set; }

    /// <summary>The replicas' rows, for display.</summary>
    public IReadOnlyList<FrontierRow> Replicas => _table.Rows;

    /// <summary>
    /// Records that a replica (including the primary itself) has persisted a release and all before it; returns whether
    /// <see cref="Committed"/> grew. Reports from another epoch, or from a node that is not a replica, are ignored.
    /// </summary>
    public bool OnPersisted(NodeId node, uint slotEpoch, ulong release)
    {
        if (slotEpoch != SlotEpoch
            || FindRow(node) is not { } row
            || !_table.Advance(row, slotEpoch, FrontierLevels.Persisted, release, isDirect: true))
        {
            return false;
        }

        ulong value = _bound.Evaluate();
        bool hasGrown = value > Committed;
        Committed = value;
        return hasGrown;
    }

    private FrontierRow? FindRow(NodeId node)
    {
        foreach (FrontierRow row in _table.Rows)
        {
            if (row.Member.Node == node)
            {
                return row;
            }
        }

        return null;
    }
}
