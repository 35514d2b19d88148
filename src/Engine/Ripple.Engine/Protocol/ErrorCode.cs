namespace Ripple.Engine.Protocol;

/// <summary>Why a host refused. The text beside it says what to do. Numbers are never given again.</summary>
public enum ErrorCode : ushort
{
    /// <summary>Not refused.</summary>
    None = 0,

    /// <summary>There is no application of that name.</summary>
    UnknownApplication = 1,

    /// <summary>The credential does not allow this.</summary>
    NotAllowed = 2,

    /// <summary>A name, a key, a note or a count is outside its limits.</summary>
    InvalidRequest = 3,

    /// <summary>A <c>.json</c> value is not what .NET's JSON configuration provider accepts.</summary>
    InvalidJson = 4,

    /// <summary>The newest release is not the expected one.</summary>
    WrongExpectedRelease = 5,

    /// <summary>The publish id was used before, with other content.</summary>
    PublishIdReused = 6,

    /// <summary>A value or a publish is larger than its limit.</summary>
    TooLarge = 7,

    /// <summary>A bound is reached for the moment: try again later.</summary>
    Busy = 8,

    /// <summary>The store failed: nothing was released.</summary>
    StoreFailed = 9,

    /// <summary>No such release or key.</summary>
    NotFound = 10,

    /// <summary>The predicate is not one.</summary>
    InvalidPredicate = 11,

    /// <summary>The application is there already.</summary>
    AlreadyExists = 12,

    /// <summary>Another version of the protocol.</summary>
    UnknownVersion = 13,

    /// <summary>The connection broke before the answer came; whether it was done is not known.</summary>
    ConnectionLost = 14,

    /// <summary>The publish changes nothing.</summary>
    NothingChanged = 15,
}
