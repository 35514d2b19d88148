namespace Ripple.Engine.Protocol;

/// <summary>The type of a control channel frame. 1 to 15 belong to the link itself; numbers are never reused.</summary>
internal enum MessageType : ushort
{
    /// <summary>None: no message has this number.</summary>
    None = 0,

    /// <summary>Node to host: a request to join, with interest and held states.</summary>
    Join = 16,

    /// <summary>Host to node: admission to a view.</summary>
    JoinAccepted = 17,

    /// <summary>Host to node: refusal of a join, with the reason.</summary>
    JoinRefused = 18,

    /// <summary>Host to node: the changes from one view to the next.</summary>
    ViewChange = 19,

    /// <summary>Node to host: a request for the full view, when the base of a change is missing.</summary>
    ViewRequest = 20,

    /// <summary>Host to node: a whole view.</summary>
    ViewFull = 21,

    /// <summary>Host to node: a new key epoch of the region.</summary>
    RegionRekey = 22,

    /// <summary>Node to host: a heartbeat with the node's levels.</summary>
    Heartbeat = 23,

    /// <summary>Host to node: a heartbeat reply with the digest of the state vector.</summary>
    HeartbeatReply = 24,

    /// <summary>Node to host: a request for the state vector.</summary>
    StateVectorRequest = 25,

    /// <summary>Host to node: the newest release of each application of the node's interest.</summary>
    StateVector = 26,

    /// <summary>Node to host: a request to be brought to the newest release.</summary>
    CatchUpRequest = 27,

    /// <summary>Host to node: one release of a catch-up.</summary>
    CatchUpRelease = 28,

    /// <summary>Host to node: the end of a catch-up.</summary>
    CatchUpEnd = 29,

    /// <summary>Host to node: the start of a snapshot, with its signed header.</summary>
    SnapshotBegin = 30,

    /// <summary>Host to node: a batch of snapshot entries.</summary>
    SnapshotKeys = 31,

    /// <summary>Host to node: the end of a snapshot.</summary>
    SnapshotEnd = 32,

    /// <summary>Node to host: a request for the body with this digest.</summary>
    BodyRequest = 33,

    /// <summary>Host to node: a small body in one piece.</summary>
    Body = 34,

    /// <summary>Host to node: the chunks a large body is made of.</summary>
    BodyManifest = 35,

    /// <summary>Node to host: a request for chunks of a large body.</summary>
    ChunkRequest = 36,

    /// <summary>Host to node: one chunk.</summary>
    Chunk = 37,

    /// <summary>Host to node: there is no such body.</summary>
    BodyMissing = 38,

    /// <summary>Node to host, directly: levels and rejections.</summary>
    Report = 39,

    /// <summary>Host to node: a demand to report directly on receiving this release.</summary>
    DirectDemand = 40,

    /// <summary>Host to node: a request for the signed header that proves a claim to be ahead.</summary>
    ProofRequest = 41,

    /// <summary>Node to host: the signed header requested.</summary>
    Proof = 42,

    /// <summary>Node to host: the node leaves voluntarily.</summary>
    Leave = 43,

    /// <summary>Host to node: the host is stopping; try another host, or this one later.</summary>
    Goodbye = 44,

    /// <summary>Host to node: the multicast group of the region.</summary>
    RegionGroup = 45,

    /// <summary>Node to host: whether the node hears the group.</summary>
    GroupReport = 46,

    /// <summary>Node to host: the nonce of a probe that arrived at the node's data address.</summary>
    PathAnswer = 47,

    /// <summary>Node to host: a request for another key of the region.</summary>
    KeyRequest = 48,

    /// <summary>Host to node: the certificate of a signer, ahead of what it signed; also before the join is answered.</summary>
    SignerCertificate = 49,

    /// <summary>Call: publish; the bodies follow as parts.</summary>
    PublishBegin = 50,

    /// <summary>Call: a part of the bodies.</summary>
    PublishPart = 51,

    /// <summary>Answer to a publish or a rollback.</summary>
    PublishResult = 52,

    /// <summary>Call: publish a past state as a new release.</summary>
    Rollback = 53,

    /// <summary>Call: list past releases.</summary>
    History = 54,

    /// <summary>Answer to a history call.</summary>
    HistoryResult = 55,

    /// <summary>Call: look up a key at a release.</summary>
    ReadKey = 56,

    /// <summary>Answer to a read.</summary>
    ReadKeyResult = 57,

    /// <summary>Call: wait until a predicate holds.</summary>
    Wait = 58,

    /// <summary>The progress of a wait.</summary>
    WaitProgress = 59,

    /// <summary>How a wait ended.</summary>
    WaitResult = 60,

    /// <summary>Call: cancel a wait.</summary>
    WaitCancel = 61,

    /// <summary>Call: report the progress of every node.</summary>
    Status = 62,

    /// <summary>Answer to a status call; may span several pages.</summary>
    StatusResult = 63,

    /// <summary>Call: create an application.</summary>
    CreateApplication = 64,

    /// <summary>Answer to a call that returns only success or failure.</summary>
    CallResult = 65,

    /// <summary>Host to node: a header between that of a past state and the signed one.</summary>
    SnapshotHeader = 66,

    /// <summary>Host to node: how the views that follow are cut into parts.</summary>
    RegionParts = 67,

    /// <summary>Host to node: how many members keep each packet for others.</summary>
    RegionCaching = 68,

    /// <summary>Call: follow a predicate.</summary>
    Monitor = 69,

    /// <summary>How far a predicate that is followed has come, or the end of that.</summary>
    MonitorPoint = 70,

    /// <summary>Call of a member: it has reached a level of an application's own.</summary>
    LevelReport = 71,

    /// <summary>Host to node: where the hosts of the cluster are.</summary>
    ClusterHosts = 72,

    /// <summary>Node to host: what it and other members repaired for each other.</summary>
    RepairReport = 73,

    /// <summary>Call: subscribe by a box to the events of a space.</summary>
    Subscribe = 80,

    /// <summary>Node to host: a subscription is over.</summary>
    Unsubscribe = 81,

    /// <summary>Host to node: a subscription could not begin, or was ended.</summary>
    SubscriptionEnded = 82,

    /// <summary>Node to host: an event.</summary>
    Emit = 83,

    /// <summary>Host to node: how far an event has come.</summary>
    EmitResult = 84,

    /// <summary>Host to node: an event, for the subscriptions whose boxes have it.</summary>
    EventDelivery = 85,

    /// <summary>Node to host: everything up to a delivery was taken.</summary>
    EventAck = 86,
}
