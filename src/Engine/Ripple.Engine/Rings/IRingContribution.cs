using Ripple.Engine.Frontier;

namespace Ripple.Engine.Rings;

/// <summary>
/// What a member adds to a token, read at the moment the token passes. Core thread; the counts do not change during one visit. Order
/// matters where a token is short of room: earlier entries go first.
/// </summary>
internal interface IRingContribution
{
    /// <summary>How many streams this member counts in.</summary>
    int StreamCount { get; }

    /// <summary>How many topics this member has levels of.</summary>
    int TopicCount { get; }

    /// <summary>How many rejections this member has to tell.</summary>
    int RejectionCount { get; }

    /// <summary>
    /// Progress in one stream. A member that leaves a stream out does not hold up its floor: leave out only what is owed nothing (a
    /// suspended member), and report from the first sequence owed, less one, before anything came.
    /// </summary>
    StreamProgress StreamAt(int index);

    /// <summary>Levels of one topic, each topic once. They only grow within a generation. 0 is nothing.</summary>
    LevelRow TopicAt(int index);

    /// <summary>
    /// One rejection, each (topic, generation, release) once. Told until a sender has acknowledged it, then not again in this view.
    /// </summary>
    RejectionRow RejectionAt(int index);

    /// <summary>The floor of a stream rose: every member that owes has everything up to it. Never called twice with one value.</summary>
    void OnFloor(ulong origin, ulong floor);
}
