namespace Ripple.Engine.Protocol;

/// <summary>What a frame of the control channel is. 1 to 15 belong to enrolment; numbers are never given again.</summary>
internal enum MessageType : ushort
{
    /// <summary>None: no message has this number.</summary>
    None = 0,

    /// <summary>Node to host: who I am, what I want, what I hold.</summary>
    Join = 16,

    /// <summary>Host to node: you are in this view.</summary>
    JoinAccepted = 17,

    /// <summary>Host to node: you are not let in, and why.</summary>
    JoinRefused = 18,

    /// <summary>Host to node: from one view to the next.</summary>
    ViewChange = 19,

    /// <summary>Node to host: I lack the view a change starts from.</summary>
    ViewRequest = 20,

    /// <summary>Host to node: a whole view.</summary>
    ViewFull = 21,

    /// <summary>Host to node: a new key epoch of the region.</summary>
    RegionRekey = 22,

    /// <summary>Node to host: alive, and where I stand.</summary>
    Heartbeat = 23,

    /// <summary>Host to node: alive, and the digest of what there is.</summary>
    HeartbeatReply = 24,

    /// <summary>Node to host: tell me all there is.</summary>
    StateVectorRequest = 25,

    /// <summary>Host to node: the newest release of each application of your interest.</summary>
    StateVector = 26,

    /// <summary>Node to host: bring me from here to the newest.</summary>
    CatchUpRequest = 27,

    /// <summary>Host to node: one release on the way.</summary>
    CatchUpRelease = 28,

    /// <summary>Host to node: that was the newest.</summary>
    CatchUpEnd = 29,

    /// <summary>Host to node: a snapshot begins; its signed header.</summary>
    SnapshotBegin = 30,

    /// <summary>Host to node: some entries of the snapshot.</summary>
    SnapshotKeys = 31,

    /// <summary>Host to node: all entries were sent.</summary>
    SnapshotEnd = 32,

    /// <summary>Node to host: the body with this digest, please.</summary>
    BodyRequest = 33,

    /// <summary>Host to node: a small body, whole.</summary>
    Body = 34,

    /// <summary>Host to node: the chunks a large body is made of.</summary>
    BodyManifest = 35,

    /// <summary>Node to host: these chunks of it.</summary>
    ChunkRequest = 36,

    /// <summary>Host to node: one chunk.</summary>
    Chunk = 37,

    /// <summary>Host to node: there is no such body.</summary>
    BodyMissing = 38,

    /// <summary>Node to host, directly: levels and rejections.</summary>
    Report = 39,

    /// <summary>Host to node: tell me directly when you reach this release.</summary>
    DirectDemand = 40,

    /// <summary>Host to node: you claim to be ahead; show the signed header.</summary>
    ProofRequest = 41,

    /// <summary>Node to host: here it is.</summary>
    Proof = 42,

    /// <summary>Node to host: I leave by my own will.</summary>
    Leave = 43,

    /// <summary>Host to node: I stop; try another host, or me later.</summary>
    Goodbye = 44,

    /// <summary>Host to node: the multicast group of the region.</summary>
    RegionGroup = 45,

    /// <summary>Node to host: whether I hear the group.</summary>
    GroupReport = 46,

    /// <summary>Call: publish; the bodies follow as parts.</summary>
    PublishBegin = 50,

    /// <summary>Call: a part of the bodies.</summary>
    PublishPart = 51,

    /// <summary>Answer to a publish or a rollback.</summary>
    PublishResult = 52,

    /// <summary>Call: make a past state the newest release.</summary>
    Rollback = 53,

    /// <summary>Call: what was released.</summary>
    History = 54,

    /// <summary>Answer to a history call.</summary>
    HistoryResult = 55,

    /// <summary>Call: where is the value of a key at a release.</summary>
    ReadKey = 56,

    /// <summary>Answer to a read.</summary>
    ReadKeyResult = 57,

    /// <summary>Call: tell me when the predicate holds.</summary>
    Wait = 58,

    /// <summary>How far a wait is.</summary>
    WaitProgress = 59,

    /// <summary>How a wait ended.</summary>
    WaitResult = 60,

    /// <summary>Call: I no longer wait.</summary>
    WaitCancel = 61,

    /// <summary>Call: who has what.</summary>
    Status = 62,

    /// <summary>Answer to a status call; may come in pages.</summary>
    StatusResult = 63,

    /// <summary>Call: create an application.</summary>
    CreateApplication = 64,

    /// <summary>Answer to a call that has nothing else to say.</summary>
    CallResult = 65,
}
