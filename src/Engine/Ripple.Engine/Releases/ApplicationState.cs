using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <summary>
/// An application's state at one release, with its values and the proof that the primary released it. Immutable; states share their
/// unchanged parts. Any thread.
/// </summary>
internal sealed class ApplicationState
{
    internal ApplicationState(ReleaseState keys, ImmutableSortedDictionary<string, ReadOnlyMemory<byte>> values, ReleaseProof? proof)
    {
        Keys = keys;
        Values = values;
        Proof = proof;
    }

    /// <summary>Generation, release, id and key table.</summary>
    public ReleaseState Keys { get; }

    /// <summary>The values of the keys this node takes, in <see cref="KeyOrder"/>; verified.</summary>
    public ImmutableSortedDictionary<string, ReadOnlyMemory<byte>> Values { get; }

    /// <summary>The proof that the primary released this state; null before the first release.</summary>
    public ReleaseProof? Proof { get; }

    /// <summary>The trace context of the publish; null when unknown. Nothing depends on it.</summary>
    public TraceContext? Trace { get; internal init; }

    /// <summary>The state before the first release.</summary>
    public static ApplicationState Empty(string application) =>
        new(ReleaseState.Empty(application), ImmutableSortedDictionary.Create<string, ReadOnlyMemory<byte>>(KeyOrder.Instance), null);

    /// <summary>
    /// Rebuilds a saved state, checking the key table against the header and each value against the key table. Null on any mismatch.
    /// Verifying the signature is up to the caller.
    /// </summary>
    public static ApplicationState? TryRestore(
        ReleaseProof proof,
        IReadOnlyCollection<KeyValuePair<string, KeyEntry>> keys,
        IReadOnlyCollection<KeyValuePair<string, ReadOnlyMemory<byte>>> values)
    {
        if (!proof.IsChained || !ReleaseState.TryFromSnapshot(proof.Header, keys, out ReleaseState? state))
        {
            return null;
        }

        ImmutableSortedDictionary<string, ReadOnlyMemory<byte>>.Builder table =
            ImmutableSortedDictionary.CreateBuilder<string, ReadOnlyMemory<byte>>(KeyOrder.Instance);
        foreach ((string key, ReadOnlyMemory<byte> value) in values)
        {
            if (!state.Keys.TryGetValue(key, out KeyEntry entry)
                || entry.Length != value.Length
                || ContentDigest.Compute(value.Span) != entry.Digest)
            {
                return null;
            }

            table[key] = value;
        }

        return new ApplicationState(state, table.ToImmutable(), proof);
    }
}

/// <summary>
/// The state of one application that a node keeps on disk: the state accepted last, the newest received one, which differs while a release
/// is rejected or undecided, and what was rejected. With them, the chain position and the values in effect survive a restart. Immutable.
/// </summary>
/// <param name="Applied">The state accepted last; before the first release if there is none.</param>
/// <param name="Received">The newest completely received state; the same object when it was accepted.</param>
/// <param name="Rejections">The rejections of the received state's generation, oldest first; their topics mean nothing.</param>
internal sealed record ReplicaSnapshot(ApplicationState Applied, ApplicationState Received, IReadOnlyList<RejectionRow> Rejections)
{
    /// <summary>A snapshot without rejections.</summary>
    public ReplicaSnapshot(ApplicationState applied, ApplicationState received)
        : this(applied, received, [])
    {
    }
}
