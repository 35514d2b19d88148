using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>
/// A host answered and did not let this client in: its credential is revoked, expired or unknown, or the host is not one of the pinned
/// authority.
/// </summary>
public sealed class RippleRefusedException : RippleException
{
    /// <summary>Makes one.</summary>
    public RippleRefusedException()
        : this("The host refused this client.")
    {
    }

    /// <summary>Makes one.</summary>
    public RippleRefusedException(string message)
        : base(ErrorCode.NotAllowed, message)
    {
    }

    /// <summary>Makes one.</summary>
    public RippleRefusedException(string message, Exception? innerException)
        : base(ErrorCode.NotAllowed, message, innerException)
    {
    }
}
