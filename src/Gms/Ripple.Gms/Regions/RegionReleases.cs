using Ripple.Engine.Interest;
using Ripple.Engine.Streams;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>
/// What the stream of a region sends next: a cursor for each application of its interest, which take turns. A release that is no longer
/// kept for streams is left out, and counted: members catch up from the store. Core thread.
/// </summary>
internal sealed class RegionReleases : IStreamSource
{
    private readonly ApplicationTable _applications;
    private readonly GmsCounters _counters;
    private readonly SortedDictionary<uint, ulong> _cursors = [];
    private uint _lastTopic;

    public RegionReleases(RegionIdentity identity, ApplicationTable applications, GmsCounters counters)
    {
        _applications = applications;
        _counters = counters;
        foreach (ApplicationPrimary primary in applications.Of(identity.Interest))
        {
            SkipTo(primary);
        }
    }

    /// <summary>Something was committed; when nobody is in the region, nobody is owed it.</summary>
    public void OnCommitted(ApplicationPrimary primary, bool isAnybodyThere)
    {
        if (isAnybodyThere)
        {
            _cursors.TryAdd(primary.Topic, primary.Committed.Release);
        }
        else
        {
            SkipTo(primary);
        }
    }

    /// <summary>
    /// Whether the stream has so much of an application's releases still to take that it would soon have to leave some out. A region that
    /// keeps up takes what comes within milliseconds, and one whose window is full goes on when the members had their second.
    /// </summary>
    public bool IsFarBehind(ApplicationPrimary primary) =>
        _cursors.TryGetValue(primary.Topic, out ulong cursor) && primary.Recent.BytesFrom(cursor) > primary.Recent.BytesMax / 2;

    /// <summary>Nobody is in the region any more: the next who joins is owed only what comes then.</summary>
    public void SkipAll()
    {
        foreach (uint topic in _cursors.Keys.ToArray())
        {
            _cursors[topic] = (_applications.Find(topic)?.Committed.Release ?? 0) + 1;
        }
    }

    /// <inheritdoc/>
    public bool TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        // First the topics after the one that had its turn last, then all.
        for (int turn = 0; turn < 2; turn++)
        {
            foreach ((uint candidate, ulong cursor) in _cursors)
            {
                if ((turn == 0 && candidate <= _lastTopic) || _applications.Find(candidate) is not { } primary)
                {
                    continue;
                }

                ulong next = Math.Max(cursor, primary.Recent.First);
                if (primary.Recent.Find(next) is { } recent)
                {
                    _counters.StreamSkips += (long)(next - cursor);
                    _cursors[candidate] = next + 1;
                    _lastTopic = topic = candidate;
                    message = recent.Message;
                    return true;
                }
            }
        }

        topic = 0;
        message = default;
        return false;
    }

    private void SkipTo(ApplicationPrimary primary) => _cursors[primary.Topic] = primary.Committed.Release + 1;
}
