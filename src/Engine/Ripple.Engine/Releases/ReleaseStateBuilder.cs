using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Releases;

/// <summary>
/// The key table of a snapshot while it comes in, part by part, so that no part takes long: a million keys at once would hold up a core for
/// seconds. Used once.
/// </summary>
internal sealed class ReleaseStateBuilder
{
    /// <summary>Often enough that it takes some ten milliseconds, seldom enough that few nodes are hashed in vain.</summary>
    private const int HashedKeys = 4_096;

    private readonly ImmutableSortedDictionary<string, KeyEntry>.Builder _keys =
        ImmutableSortedDictionary.CreateBuilder<string, KeyEntry>(KeyOrder.Instance);

    private StateTrie _trie = StateTrie.Empty;

    public int Count => _keys.Count;

    /// <summary>Adds a key; false when it is invalid, or there already.</summary>
    public bool TryAdd(string key, in KeyEntry entry)
    {
        if (ReleaseNames.CheckKey(key) is not null || !_keys.TryAdd(key, entry))
        {
            return false;
        }

        _trie = _trie.Set(key, entry);
        if (_keys.Count % HashedKeys == 0)
        {
            // Hashes what came, which the root would otherwise do at once at the end.
            _ = _trie.Root;
        }

        return true;
    }

    /// <summary>The state at a release; false when the table does not have the root that its header names.</summary>
    public bool TryBuild(ReleaseHeader newest, [NotNullWhen(true)] out ReleaseState? state)
    {
        ArgumentNullException.ThrowIfNull(newest);
        state = _trie.Root == newest.StateRoot ? ReleaseState.At(newest, _trie, _keys.ToImmutable()) : null;
        return state is not null;
    }
}
