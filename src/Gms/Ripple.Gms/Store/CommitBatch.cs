namespace Ripple.Gms.Store;

/// <summary>
/// Changes that become durable together or not at all. Applied in the order settings, applications, generations, releases, members,
/// prunings, audit, tokens, revoked nodes. Owned by the store once committed: neither the lists nor their contents may change.
/// </summary>
internal sealed class CommitBatch
{
    private const long PruningBytes = 1_048_576;

    /// <summary>The cluster's id, set once; null to leave it unchanged.</summary>
    public Guid? ClusterId { get; init; }

    /// <summary>The new slot epoch, above the stored one; null to leave it unchanged.</summary>
    public uint? SlotEpoch { get; init; }

    /// <summary>The new incarnation counter, above the stored one; null to leave it unchanged.</summary>
    public ulong? IncarnationCounter { get; init; }

    /// <summary>
    /// The least generation of every application, also of those created later; applications below it are raised. A host whose store is a
    /// copy begins with it, so that no release of an earlier generation can follow. Null to leave it unchanged.
    /// </summary>
    public uint? GenerationMin { get; init; }

    /// <summary>Applications to create.</summary>
    public IReadOnlyList<NewApplication> Applications { get; init; } = [];

    /// <summary>Generations to raise, by topic. A release that begins a generation raises it implicitly.</summary>
    public IReadOnlyList<(uint Topic, uint Generation)> Generations { get; init; } = [];

    /// <summary>Releases to append, in order.</summary>
    public IReadOnlyList<StoredRelease> Releases { get; init; } = [];

    /// <summary>Who is a member of an application from these releases on, and who no more; one an application.</summary>
    public IReadOnlyList<MembershipChange> Members { get; init; } = [];

    /// <summary>Histories to shorten.</summary>
    public IReadOnlyList<HistoryPruning> Prunings { get; init; } = [];

    /// <summary>Audit entries to append.</summary>
    public IReadOnlyList<AuditEntry> Audit { get; init; } = [];

    /// <summary>Token changes; each ends what <see cref="MadeRights"/> says, and appends its own audit entry and theirs.</summary>
    public IReadOnlyList<AccessTokenChange> Tokens { get; init; } = [];

    /// <summary>Nodes to revoke; each appends its own audit entry. No effect on one that is revoked.</summary>
    public IReadOnlyList<RevokedNode> RevokedNodes { get; init; } = [];

    /// <summary>Approximate bytes it occupies in a store's queue: its bodies, headers and a little for each item.</summary>
    public long QueuedBytes
    {
        get
        {
            long bytes = 256L * (1 + Applications.Count + Generations.Count + Audit.Count + Tokens.Count + RevokedNodes.Count);
            // What it writes is not in it: a page or so of each table for each change that goes.
            bytes += PruningBytes * Prunings.Count;
            foreach (MembershipChange change in Members)
            {
                bytes += change.QueuedBytes;
            }

            foreach (StoredRelease release in Releases)
            {
                bytes += 256 + release.Header.Encode().Length;
                foreach (StoredBody body in release.Bodies)
                {
                    bytes += body.Bytes.Length;
                }
            }

            return bytes;
        }
    }

    /// <summary>Null if the batch is well formed, else the problem and the remedy. Every store checks this before its own state.</summary>
    public string? Check() => CommitBatchRules.Check(this);
}
