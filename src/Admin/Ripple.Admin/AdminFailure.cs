namespace Ripple.Admin;

/// <summary>The kind of failure of a call.</summary>
public enum AdminFailure
{
    /// <summary>The host refused the request, or it conflicts with the current state.</summary>
    Refused,

    /// <summary>The credential is not valid, or does not allow the call.</summary>
    Unauthorised,

    /// <summary>No host, or no trusted host, could be reached.</summary>
    Unreachable,

    /// <summary>A fault of the host, or an answer that cannot be understood.</summary>
    Internal,
}
