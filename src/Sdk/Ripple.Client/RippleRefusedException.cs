using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>
/// A host answered but did not admit this client: its credential is revoked, expired or unknown, or the host does not belong to the pinned
/// authority.
/// </summary>
public sealed class RippleRefusedException : RippleException
{
    /// <summary>Creates an exception with a default message.</summary>
    public RippleRefusedException()
        : this("The host refused this client.")
    {
    }

    /// <summary>Creates an exception with a message.</summary>
    public RippleRefusedException(string message)
        : base(ErrorCode.NotAllowed, message)
    {
    }

    /// <summary>Creates an exception with a message and its cause.</summary>
    public RippleRefusedException(string message, Exception? innerException)
        : base(ErrorCode.NotAllowed, message, innerException)
    {
    }
}
