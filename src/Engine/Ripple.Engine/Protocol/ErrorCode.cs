namespace Ripple.Engine.Protocol;

/// <summary>Why a host refused a request; the accompanying text says what to do. Numbers are never reused.</summary>
public enum ErrorCode : ushort
{
    /// <summary>Not refused.</summary>
    None = 0,

    /// <summary>There is no application with that name.</summary>
    UnknownApplication = 1,

    /// <summary>The credential does not allow this.</summary>
    NotAllowed = 2,

    /// <summary>A name, a key, a note or a count is outside its limits.</summary>
    InvalidRequest = 3,

    /// <summary>.NET's JSON configuration provider would not accept a <c>.json</c> value.</summary>
    InvalidJson = 4,

    /// <summary>The newest release is not the expected one.</summary>
    WrongExpectedRelease = 5,

    /// <summary>The publish id was used before with different content.</summary>
    PublishIdReused = 6,

    /// <summary>A value, a publish or an application is larger than its limit.</summary>
    TooLarge = 7,

    /// <summary>A limit is reached at the moment: try again later.</summary>
    Busy = 8,

    /// <summary>The store failed. The text says whether the call may have been done: ask again, with the same publish id.</summary>
    StoreFailed = 9,

    /// <summary>No such release or key.</summary>
    NotFound = 10,

    /// <summary>The predicate is invalid.</summary>
    InvalidPredicate = 11,

    /// <summary>The application already exists.</summary>
    AlreadyExists = 12,

    /// <summary>The protocol version is not supported.</summary>
    UnknownVersion = 13,

    /// <summary>The connection broke before the answer arrived; whether the call took effect is unknown.</summary>
    ConnectionLost = 14,

    /// <summary>The publish changes nothing.</summary>
    NothingChanged = 15,

    /// <summary>What the store has is not what was committed: it was changed or lost, and is not given out.</summary>
    StoreDamaged = 16,
}
