using Ripple.Engine.Releases;

namespace Ripple.Simulator.Cluster;

/// <summary>The releases committed by the host: the reference that nodes and stores are compared with.</summary>
internal sealed class ReferenceHistory
{
    private readonly SortedDictionary<Digest160, ReleaseHeader> _byId = [];
    private readonly SortedDictionary<string, ReleaseHeader> _newest = new(StringComparer.Ordinal);

    /// <summary>The number of committed releases.</summary>
    public int Count => _byId.Count;

    /// <summary>Records a commit.</summary>
    public void Add(ReleaseHeader header)
    {
        ArgumentNullException.ThrowIfNull(header);
        _byId[header.Id] = header;
        _newest[header.Application] = header;
    }

    /// <summary>Whether a release was ever committed.</summary>
    public bool Contains(in Digest160 id) => _byId.ContainsKey(id);

    /// <summary>The newest committed release of an application; null before the first.</summary>
    public ReleaseHeader? NewestOf(string application) => _newest.GetValueOrDefault(application);
}
