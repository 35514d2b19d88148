using System.Collections.Immutable;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// One application as the world knows it: its releases by name, number and publish, and which was the newest at each time.
/// </summary>
internal sealed class ApplicationModel
{
    private readonly SortedDictionary<string, ModelRelease> _byName = new(StringComparer.Ordinal);
    private readonly SortedDictionary<(uint Generation, ulong Release), ModelRelease> _first = [];
    private readonly SortedDictionary<(uint Generation, Guid Publish), ModelRelease> _byPublish = [];
    private readonly List<(long FromNs, ModelRelease? Newest)> _newest = [(0, null)];

    /// <summary>The number of releases.</summary>
    public int Count => _byName.Count;

    /// <summary>The newest release; null before the first, or after a restore to a time before it.</summary>
    public ModelRelease? Newest => _newest[^1].Newest;

    /// <summary>The release of a name; null if the host never had it.</summary>
    public ModelRelease? Find(string name) => _byName.GetValueOrDefault(name);

    /// <summary>The first release that had this number; null for none.</summary>
    public ModelRelease? FirstOf(uint generation, ulong release) => _first.GetValueOrDefault((generation, release));

    /// <summary>The last release that was made of a publish in a generation; null for none.</summary>
    public ModelRelease? OfPublish(uint generation, Guid publish) => _byPublish.GetValueOrDefault((generation, publish));

    /// <summary>The newest releases at all moments from one time to another, both included; null stands for none.</summary>
    public IEnumerable<ModelRelease?> NewestWithin(long fromNs, long toNs)
    {
        for (int i = _newest.Count - 1; i >= 0; i--)
        {
            if (_newest[i].FromNs <= toNs)
            {
                yield return _newest[i].Newest;
            }

            if (_newest[i].FromNs < fromNs)
            {
                yield break;
            }
        }
    }

    /// <summary>Adds a release under its name; the first of a number and the last of a publish are remembered as such.</summary>
    public void Add(ModelRelease release)
    {
        _byName.Add(release.Name, release);
        _first.TryAdd((release.Generation, release.Release), release);
        if (release.Claim.Publish != Guid.Empty)
        {
            _byPublish[(release.Generation, release.Claim.Publish)] = release;
        }
    }

    /// <summary>Records which release is the newest from now on.</summary>
    public void SetNewest(long nowNs, ModelRelease? newest) => _newest.Add((nowNs, newest));

    /// <summary>The content after a publish on top of a state.</summary>
    public static ImmutableSortedDictionary<string, byte[]> Apply(ModelRelease? previous, PublishIntent intent)
    {
        if (intent.RollbackTo is { } target)
        {
            return previous?.At(target)?.Content ?? ModelRelease.NoContent;
        }

        ImmutableSortedDictionary<string, byte[]>.Builder content = (previous?.Content ?? ModelRelease.NoContent).ToBuilder();
        foreach ((string key, byte[]? bytes) in intent.Changes)
        {
            if (bytes is null)
            {
                content.Remove(key);
            }
            else
            {
                content[key] = bytes;
            }
        }

        return content.ToImmutable();
    }
}
