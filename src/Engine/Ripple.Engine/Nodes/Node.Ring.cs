using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Nodes;

/// <content>
/// What this node tells of its levels and rejections, to its ring's token and to the host: what changed since it told them, so that neither
/// a token nor a heartbeat costs more for an application that rests.
/// </content>
internal sealed partial class Node
{
    // Ascending by topic.
    private readonly List<ApplicationReplica> _rejecting = [];
    private readonly ChangedTopics _untoldToRing = new();
    private readonly ChangedTopics _untoldToHost = new();

    int IRingContribution.StreamCount => _region is null ? 0 : 1;

    int IRingContribution.TopicCount => _topics.Length;

    int IRingContribution.RejectionCount
    {
        get
        {
            int count = 0;
            foreach (ApplicationReplica replica in _rejecting)
            {
                count += replica.Rejections.Count;
            }

            return count;
        }
    }

    StreamProgress IRingContribution.StreamAt(int index)
    {
        RegionMembership region = _region!;
        return new StreamProgress(region.Origin, region.Receiver.Contiguous, region.Receiver.Highest);
    }

    LevelRow IRingContribution.TopicAt(int index) => _topics[index].Levels;

    bool IRingContribution.TryTakeChanged(out LevelRow row)
    {
        bool isTaken = _untoldToRing.TryTake(out int index);
        row = isTaken ? _topics[index].Levels : default;
        return isTaken;
    }

    RejectionRow IRingContribution.RejectionAt(int index)
    {
        foreach (ApplicationReplica replica in _rejecting)
        {
            if (index < replica.Rejections.Count)
            {
                return replica.Rejections[index];
            }

            index -= replica.Rejections.Count;
        }

        throw new ArgumentOutOfRangeException(nameof(index));
    }

    void IRingContribution.OnFloor(ulong origin, ulong floor) => _region?.OnFloor(origin, floor);

    /// <summary>
    /// Tells the host the levels that changed since it was told on this connection, which keeps the order and loses nothing.
    /// </summary>
    /// <param name="send">Sends them; false if the link does not take it, and they are told with the next.</param>
    internal bool TryTellHost(Func<LevelRow[], bool> send)
    {
        int[] changed = _untoldToHost.TakeAll();
        bool isSent = send([.. changed.Select(i => _topics[i].Levels)]);
        for (int i = 0; !isSent && i < changed.Length; i++)
        {
            _untoldToHost.Mark(changed[i]);
        }

        return isSent;
    }

    /// <summary>With a seat nothing of this node's is told.</summary>
    private void TellAnew()
    {
        _untoldToRing.Reset(_topics.Length);
        _untoldToHost.Reset(_topics.Length);
        _rejecting.Clear();
        _rejecting.AddRange(_topics.Where(r => r.Rejections.Count > 0));
    }

    private void MarkUntold(ApplicationReplica replica)
    {
        int index = Array.BinarySearch(_topics, replica, ByTopic.Instance);
        if (index < 0)
        {
            // Before the first join it has no number.
            return;
        }

        _untoldToRing.Mark(index);
        _untoldToHost.Mark(index);
        int place = _rejecting.BinarySearch(replica, ByTopic.Instance);
        if (place < 0 && replica.Rejections.Count > 0)
        {
            _rejecting.Insert(~place, replica);
        }
        else if (place >= 0 && replica.Rejections.Count == 0)
        {
            _rejecting.RemoveAt(place);
        }
    }

    private sealed class ByTopic : IComparer<ApplicationReplica>
    {
        public static ByTopic Instance { get; } = new();

        public int Compare(ApplicationReplica? x, ApplicationReplica? y) => x!.Topic.CompareTo(y!.Topic);
    }
}
