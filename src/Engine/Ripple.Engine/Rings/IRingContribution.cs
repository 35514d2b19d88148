using Ripple.Engine.Releases;

namespace Ripple.Engine.Rings;

/// <summary>
/// A member's contribution to a token, read when the token passes. Core thread; the counts do not change during one visit. Order matters
/// when a token is short of room: earlier entries go first.
/// </summary>
internal interface IRingContribution
{
    /// <summary>The number of streams in which this member counts.</summary>
    int StreamCount { get; }

    /// <summary>The number of topics in which this member has levels.</summary>
    int TopicCount { get; }

    /// <summary>The number of rejections that this member must report.</summary>
    int RejectionCount { get; }

    /// <summary>
    /// Progress in one stream. A member that omits a stream does not hold back its floor: omit a stream only when this member is owed
    /// nothing from it (a suspended member), and report the first sequence owed, less one, before anything arrives.
    /// </summary>
    StreamProgress StreamAt(int index);

    /// <summary>Levels of one topic, each topic once, in ascending order. They only grow within a generation. 0 means none.</summary>
    LevelRow TopicAt(int index);

    /// <summary>
    /// Takes the levels of a topic that changed since they were taken last; false when there is none. At first all have changed. What was
    /// taken is told until a sender has acknowledged it, and not again in later views.
    /// </summary>
    bool TryTakeChanged(out LevelRow row);

    /// <summary>
    /// One rejection, each (topic, generation, release) once. Reported until a sender has acknowledged it, then not again in this view.
    /// </summary>
    RejectionRow RejectionAt(int index);

    /// <summary>
    /// The floor of a stream rose: every member that is owed the stream has everything up to it. A value is repeated only when there are
    /// more streams than a member remembers.
    /// </summary>
    void OnFloor(ulong origin, ulong floor);
}

/// <summary>Looks up the topics of a contribution.</summary>
internal static class RingContributionTopics
{
    /// <summary>The levels of a topic; null where this member has none of that generation.</summary>
    public static LevelRow? Find(this IRingContribution contribution, uint topic, uint generation)
    {
        int low = 0;
        int high = contribution.TopicCount - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            LevelRow row = contribution.TopicAt(middle);
            if (row.Topic == topic)
            {
                return row.Generation == generation ? row : null;
            }

            (low, high) = row.Topic < topic ? (middle + 1, high) : (low, middle - 1);
        }

        return null;
    }
}

/// <summary>A member's progress in one stream.</summary>
/// <param name="Origin">The sender's incarnation.</param>
/// <param name="Contiguous">The highest sequence received along with all owed before it.</param>
/// <param name="Highest">The highest sequence known to exist; never below <paramref name="Contiguous"/>.</param>
internal readonly record struct StreamProgress(ulong Origin, ulong Contiguous, ulong Highest);
