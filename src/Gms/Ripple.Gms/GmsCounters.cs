namespace Ripple.Gms;

/// <summary>Counters of a host. Written on the core thread; readable from any thread, each value consistent only by itself.</summary>
public sealed class GmsCounters
{
    /// <summary>Current members.</summary>
    public long Members { get; internal set; }

    /// <summary>Current control connections.</summary>
    public long Sessions { get; internal set; }

    /// <summary>Joins accepted.</summary>
    public long Joins { get; internal set; }

    /// <summary>Joins refused.</summary>
    public long JoinsRefused { get; internal set; }

    /// <summary>Views made.</summary>
    public long Views { get; internal set; }

    /// <summary>Changes of the regions' keys.</summary>
    public long KeyChanges { get; internal set; }

    /// <summary>Members removed as failed: a broken connection, missed heartbeats, a protocol error, or not reading.</summary>
    public long Failures { get; internal set; }

    /// <summary>Those of <see cref="Failures"/> that were removed early, because their ring did not hear them either.</summary>
    public long FailuresByRing { get; internal set; }

    /// <summary>Current leaves: members that their region's views lack, because they held the others up or heard nothing.</summary>
    public long Leaves { get; internal set; }

    /// <summary>Times that a member became a leaf.</summary>
    public long LeavesMade { get; internal set; }

    /// <summary>Members removed because their token was revoked, expired or no longer grants their applications.</summary>
    public long Expulsions { get; internal set; }

    /// <summary>Releases committed.</summary>
    public long Committed { get; internal set; }

    /// <summary>Publishes refused, for any reason.</summary>
    public long PublishesRefused { get; internal set; }

    /// <summary>Calls refused as busy because a connection, a token, an application or all asked for more than their share.</summary>
    public long CallsRefused { get; internal set; }

    /// <summary>Times that a connection's frames had to wait because it, its token or its application sent more than its share.</summary>
    public long FramesHeld { get; internal set; }

    /// <summary>Events taken from emitters, each once.</summary>
    public long EventsEmitted { get; internal set; }

    /// <summary>Deliveries of events sent to subscribers, those sent again included.</summary>
    public long EventsDelivered { get; internal set; }

    /// <summary>Events that a full queue of a subscriber dropped.</summary>
    public long EventsDropped { get; internal set; }

    /// <summary>Times that an emitter was told to try again, because a subscriber that asked emitters to wait had no room.</summary>
    public long EventsHeld { get; internal set; }

    /// <summary>Control frames that were malformed, unknown or not allowed.</summary>
    public long ControlRefused { get; internal set; }

    /// <summary>Datagrams rejected before their content was read: an unknown region or sender, or a bad seal.</summary>
    public long DatagramsRefused { get; internal set; }

    /// <summary>Frames and datagrams with a good seal but malformed content, or content their sender may not send.</summary>
    public long FramesRefused { get; internal set; }

    /// <summary>
    /// Levels and rejections refused as impossible, told directly or by a ring: of a release that is not committed, or of a generation that
    /// has not begun.
    /// </summary>
    public long EvidenceRefused { get; internal set; }

    /// <summary>Ring rounds reported to this host by ring leaders.</summary>
    public long Aggregates { get; internal set; }

    /// <summary>Of those, and of repeated ones, how many came through another leader.</summary>
    public long AggregatesGathered { get; internal set; }

    /// <summary>Those of them that the second or third member of a part led, in the place of those before it.</summary>
    public long RoundsSubstituted { get; internal set; }

    /// <summary>
    /// The longest time since any part's newest round, in nanoseconds; for a part that told none of its view, since that was made. As of
    /// the last quarter of a second.
    /// </summary>
    public long RoundAgeNsMax { get; internal set; }

    /// <summary>The parts of all regions' views, each a ring of its own, as of the last quarter of a second.</summary>
    public long Parts { get; internal set; }

    /// <summary>The members that their parts' newest rounds did not reach, as far as these named them.</summary>
    public long Silent { get; internal set; }

    /// <summary>Catch-ups by releases; one read from the store counts once per page.</summary>
    public long CatchUps { get; internal set; }

    /// <summary>
    /// Releases that a region's stream skipped because they were no longer kept for streams: the region fell behind, and its members catch
    /// up from the store.
    /// </summary>
    public long StreamSkips { get; internal set; }

    /// <summary>Values that a stream did not get to send whole before they had to give way; members ask for them.</summary>
    public long ValuesGivenUp { get; internal set; }

    /// <summary>Current members that receive their stream through a multicast group.</summary>
    public long GroupMembers { get; internal set; }

    /// <summary>Times that a member did not hear its region's multicast group, and stayed with unicast or returned to it.</summary>
    public long GroupRefusals { get; internal set; }

    /// <summary>Probes sent to the addresses that members named.</summary>
    public long PathProbes { get; internal set; }

    /// <summary>Times that a member answered none of the probes sent to its address.</summary>
    public long PathsUnreached { get; internal set; }

    /// <summary>Answers to probes that named another nonce.</summary>
    public long PathAnswersRefused { get; internal set; }

    /// <summary>Releases that left the history of their application.</summary>
    public long Pruned { get; internal set; }

    /// <summary>Snapshots sent.</summary>
    public long Snapshots { get; internal set; }

    /// <summary>Generations begun because nodes proved that this host's store is older than what it had committed.</summary>
    public long Restores { get; internal set; }
}
