using Ripple.Engine.Core;

namespace Ripple.Simulator.Checking;

/// <summary>
/// A hash of the entire state: two runs of the same build and seed must produce equal hashes (invariant 6). Parts are added in registration
/// order.
/// </summary>
internal sealed class StateHasher
{
    private readonly List<(string Name, StateContributor Contributor)> _parts = [];

    /// <summary>
    /// Registers a part of the state: a machine's protocol state, a disk, a control store. It stays registered when its machine crashes,
    /// and must then reflect the crash.
    /// </summary>
    public void Add(string name, StateContributor contributor)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(contributor);
        _parts.Add((name, contributor));
    }

    /// <summary>The current hash of all parts.</summary>
    public ulong Compute()
    {
        StableHash hash = StableHash.Create();
        foreach ((string name, StateContributor contributor) in _parts)
        {
            hash.Add(name);
            contributor(ref hash);
        }

        return hash.Value;
    }

    /// <summary>The hash of each part by name, to find where two runs diverge.</summary>
    public IReadOnlyList<(string Name, ulong Hash)> ComputeParts()
    {
        var hashes = new List<(string Name, ulong Hash)>(_parts.Count);
        foreach ((string name, StateContributor contributor) in _parts)
        {
            StableHash hash = StableHash.Create();
            contributor(ref hash);
            hashes.Add((name, hash.Value));
        }

        return hashes;
    }
}
