using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <summary>
/// An application's state at one release with its values and the proof that the primary released it. Immutable; states share what did not
/// change. Any thread.
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

    /// <summary>Why the state is believed; null before the first release.</summary>
    public ReleaseProof? Proof { get; }

    /// <summary>The trace of the publish of its release; null when it is not known. Nothing depends on it.</summary>
    public TraceContext? Trace { get; internal init; }

    /// <summary>The state before the first release.</summary>
    public static ApplicationState Empty(string application) =>
        new(ReleaseState.Empty(application), ImmutableSortedDictionary.Create<string, ReadOnlyMemory<byte>>(KeyOrder.Instance), null);

    /// <summary>
    /// Puts together a state that was saved: the key table against the header, each value against the key table. Null when anything
    /// disagrees. The signature is the caller's to verify.
    /// </summary>
    public static ApplicationState? TryRestore(
        ReleaseProof proof,
        IReadOnlyCollection<KeyValuePair<string, KeyEntry>> keys,
        IReadOnlyCollection<KeyValuePair<string, ReadOnlyMemory<byte>>> values)
    {
        ArgumentNullException.ThrowIfNull(proof);
        ArgumentNullException.ThrowIfNull(values);
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
