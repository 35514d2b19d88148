namespace Ripple.Gms.Store;

/// <summary>
/// Changes that become durable together or not at all. Applied in the order: settings, applications, generations, releases, audit, tokens.
/// Belongs to the store once committed: neither the lists nor what they hold may change.
/// </summary>
internal sealed class CommitBatch
{
    /// <summary>The cluster's id, set once; null to leave it.</summary>
    public Guid? ClusterId { get; init; }

    /// <summary>The slot epoch from now on, above the stored one; null to leave it.</summary>
    public uint? SlotEpoch { get; init; }

    /// <summary>The incarnation counter from now on, above the stored one; null to leave it.</summary>
    public ulong? IncarnationCounter { get; init; }

    /// <summary>Applications to create.</summary>
    public IReadOnlyList<NewApplication> Applications { get; init; } = [];

    /// <summary>Generations to raise, by topic. A release that begins a generation raises it by itself.</summary>
    public IReadOnlyList<(uint Topic, uint Generation)> Generations { get; init; } = [];

    /// <summary>Releases to append, in order.</summary>
    public IReadOnlyList<StoredRelease> Releases { get; init; } = [];

    /// <summary>Audit entries to append.</summary>
    public IReadOnlyList<AuditEntry> Audit { get; init; } = [];

    /// <summary>Tokens to create and revoke; each adds an audit entry by itself.</summary>
    public IReadOnlyList<AccessTokenChange> Tokens { get; init; } = [];

    /// <summary>What it takes in a store's queue, in bytes: its bodies, headers and a little for each item.</summary>
    public long QueuedBytes
    {
        get
        {
            long bytes = 256L * (1 + Applications.Count + Generations.Count + Audit.Count + Tokens.Count);
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

    /// <summary>
    /// Null when the batch is well formed, else what is wrong and what to do. Every store asks this first, and then what its state says.
    /// </summary>
    public string? Check() => CommitBatchRules.Check(this);
}
