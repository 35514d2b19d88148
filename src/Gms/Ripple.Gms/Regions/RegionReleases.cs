using Ripple.Engine.Interest;
using Ripple.Engine.Streams;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Regions;

/// <summary>
/// The messages that a region's stream sends next: one cursor per application of its interest, served in turn. A release no longer kept for
/// streams is skipped and counted; members catch up from the store. Core thread.
/// </summary>
internal sealed class RegionReleases : IStreamSource
{
    private readonly ApplicationTable _applications;
    private readonly GmsCounters _counters;
    private readonly SortedDictionary<uint, ulong> _cursors = [];
    // The topics that may have something to send, in turns.
    private readonly Queue<uint> _ready = [];
    private readonly SortedSet<uint> _isReady = [];
    // Values of releases that this stream has sent, the oldest first, and how much of the first it has sent.
    private readonly Queue<(uint Topic, StreamedParts Parts)> _values = [];
    private int _nextPart;

    public RegionReleases(RegionIdentity identity, ApplicationTable applications, GmsCounters counters)
    {
        _applications = applications;
        _counters = counters;
        foreach (ApplicationPrimary primary in applications.Of(identity.Interest))
        {
            SkipTo(primary);
        }
    }

    /// <summary>
    /// Whether releases go to this region with short forms: while all of its members know them. What was committed without another form is
    /// skipped where they do not.
    /// </summary>
    public bool UsesShortForms
    {
        get;
        set
        {
            if (field == value)
            {
                return;
            }

            field = value;
            if (!value)
            {
                // Who joins now would take what still follows for false releases.
                ForgetValues();
            }

            foreach (uint topic in _cursors.Keys)
            {
                // What was passed over for its form may go now.
                MarkReady(topic);
            }
        }
    } = true;

    /// <summary>Records a commit; a region without members skips it.</summary>
    public void OnCommitted(ApplicationPrimary primary, bool isAnybodyThere)
    {
        if (isAnybodyThere)
        {
            _cursors.TryAdd(primary.Topic, primary.Committed.Release);
            MarkReady(primary.Topic);
        }
        else
        {
            SkipTo(primary);
        }
    }

    /// <summary>
    /// True if the stream's backlog of an application is so large that it would soon have to skip releases. A region that keeps up takes
    /// new releases within milliseconds, and one whose window is full resumes when the stall time of one second is over.
    /// </summary>
    public bool IsFarBehind(ApplicationPrimary primary) =>
        _cursors.TryGetValue(primary.Topic, out ulong cursor) && primary.Recent.BytesFrom(cursor) > primary.Recent.BytesMax / 2;

    /// <summary>
    /// How many releases a member lacks of what the stream has sent, as far as is known, in the application in which it lacks most.
    /// </summary>
    public ulong Lacking(MemberFrontierRows rows)
    {
        ulong most = 0;
        foreach ((uint topic, ulong cursor) in _cursors)
        {
            ulong received = rows.ReceivedOf(topic);
            most = Math.Max(most, cursor > received + 1 ? cursor - 1 - received : 0);
        }

        return most;
    }

    /// <summary>The region is empty: the next joiner needs only releases committed from then on.</summary>
    public void SkipAll()
    {
        foreach (uint topic in _cursors.Keys.ToArray())
        {
            _cursors[topic] = (_applications.Find(topic)?.Committed.Release ?? 0) + 1;
        }

        _ready.Clear();
        _isReady.Clear();
        ForgetValues();
    }

    /// <inheritdoc/>
    public bool TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        while (_ready.TryDequeue(out uint candidate))
        {
            _isReady.Remove(candidate);
            if (!_cursors.TryGetValue(candidate, out ulong cursor) || _applications.Find(candidate) is not { } primary)
            {
                continue;
            }

            ulong next = Math.Max(cursor, primary.Recent.First);
            while (primary.Recent.Find(next) is { } skipped && skipped.MessageFor(UsesShortForms) is null)
            {
                next++;
            }

            if (primary.Recent.Find(next) is { } release && release.MessageFor(UsesShortForms) is { } found)
            {
                Follow(candidate, release);
                _counters.StreamSkips += (long)(next - cursor);
                _cursors[candidate] = next + 1;
                // Behind the others: the next of its releases waits for one of each.
                MarkReady(candidate);
                topic = candidate;
                message = found;
                return true;
            }
        }

        topic = 0;
        message = default;
        return false;
    }

    /// <inheritdoc/>
    public bool HasBulk
    {
        get
        {
            while (_values.TryPeek(out (uint Topic, StreamedParts Parts) first) && _nextPart >= first.Parts.Count)
            {
                // All of it is sent; or it was given up before, and who waits for it asks.
                _counters.ValuesGivenUp += first.Parts.Count == 0 ? 1 : 0;
                _values.Dequeue();
                _nextPart = 0;
            }

            return _values.Count > 0;
        }
    }

    /// <inheritdoc/>
    public bool TryNextBulk(out uint topic, out ReadOnlyMemory<byte> message)
    {
        topic = 0;
        message = default;
        if (!HasBulk)
        {
            return false;
        }

        (topic, StreamedParts parts) = _values.Peek();
        message = parts[_nextPart++];
        return true;
    }

    private void MarkReady(uint topic)
    {
        if (_isReady.Add(topic))
        {
            _ready.Enqueue(topic);
        }
    }

    private void Follow(uint topic, RecentRelease release)
    {
        if (UsesShortForms)
        {
            foreach (StreamedParts parts in release.Streamed)
            {
                _values.Enqueue((topic, parts));
            }
        }
    }

    private void ForgetValues()
    {
        _values.Clear();
        _nextPart = 0;
    }

    private void SkipTo(ApplicationPrimary primary) => _cursors[primary.Topic] = primary.Committed.Release + 1;
}
