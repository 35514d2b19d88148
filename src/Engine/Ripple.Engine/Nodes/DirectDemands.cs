using Ripple.Engine.Frontier;

namespace Ripple.Engine.Nodes;

/// <summary>
/// What the host asked this node to report directly instead of through the ring: of each application one release, the highest. A demand is
/// answered when the release has come, and again when it was persisted or applied; then it has ended, and the ring reports alone. What
/// happens to later releases is no answer to it. Core thread.
/// </summary>
internal sealed class DirectDemands
{
    private readonly SortedDictionary<uint, Demand> _byTopic = [];

    /// <summary>Demands that were not fully answered.</summary>
    public int Count => _byTopic.Count;

    /// <summary>Adds a demand; a lower one than there is changes nothing.</summary>
    public void Add(uint topic, ulong release)
    {
        if (!_byTopic.TryGetValue(topic, out Demand known) || known.Release < release)
        {
            _byTopic[topic] = new Demand(release, IsAnswered: false, 0, 0);
        }
    }

    /// <summary>True if these levels answer a demand further than the report before.</summary>
    public bool MustReport(in LevelRow levels)
    {
        if (!_byTopic.TryGetValue(levels.Topic, out Demand demand) || levels.Received < demand.Release)
        {
            return false;
        }

        ulong persisted = Math.Min(levels.Persisted, demand.Release);
        ulong applied = Math.Min(levels.Applied, demand.Release);
        if (demand.IsAnswered && persisted == demand.Persisted && applied == demand.Applied)
        {
            return false;
        }

        if (persisted == demand.Release && applied == demand.Release)
        {
            _byTopic.Remove(levels.Topic);
        }
        else
        {
            _byTopic[levels.Topic] = new Demand(demand.Release, IsAnswered: true, persisted, applied);
        }

        return true;
    }

    /// <summary>Forgets all: the connection they came by is gone.</summary>
    public void Clear() => _byTopic.Clear();

    /// <param name="Release">The release that is asked for.</param>
    /// <param name="IsAnswered">False before the first report.</param>
    /// <param name="Persisted">The level last reported, at most the release.</param>
    /// <param name="Applied">As above.</param>
    private readonly record struct Demand(ulong Release, bool IsAnswered, ulong Persisted, ulong Applied);
}
