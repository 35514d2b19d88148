namespace Ripple.Admin;

/// <summary>What kind of failure a call met.</summary>
public enum AdminFailure
{
    /// <summary>The host refused the request, or it conflicts with what is there.</summary>
    Refused,

    /// <summary>The credential is not good, or does not allow it.</summary>
    Unauthorised,

    /// <summary>No host could be reached, or none that can be trusted.</summary>
    Unreachable,

    /// <summary>A fault of the host, or an answer that is none.</summary>
    Internal,
}
