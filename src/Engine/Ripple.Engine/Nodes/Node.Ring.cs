using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Nodes;

/// <content>This node's contribution to its ring's token.</content>
internal sealed partial class Node
{
    int IRingContribution.StreamCount => _region is null ? 0 : 1;

    int IRingContribution.TopicCount => _topics.Length;

    int IRingContribution.RejectionCount => _topics.Sum(r => r.Rejections.Count);

    StreamProgress IRingContribution.StreamAt(int index)
    {
        RegionMembership region = _region!;
        return new StreamProgress(region.Origin, region.Receiver.Contiguous, region.Receiver.Highest);
    }

    LevelRow IRingContribution.TopicAt(int index) => _topics[index].Levels;

    RejectionRow IRingContribution.RejectionAt(int index)
    {
        foreach (ApplicationReplica replica in _topics)
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
}
