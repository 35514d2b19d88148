using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>
/// The timeout passed before the call completed. Unless the message says otherwise, it is unknown whether the host carried it out.
/// </summary>
public sealed class RippleTimeoutException : RippleException
{
    /// <summary>Creates an exception with a default message.</summary>
    public RippleTimeoutException()
        : this("The time ran out.")
    {
    }

    /// <summary>Creates an exception with a message.</summary>
    public RippleTimeoutException(string message)
        : base(ErrorCode.ConnectionLost, message)
    {
    }

    /// <summary>Creates an exception with a message and its cause.</summary>
    public RippleTimeoutException(string message, Exception? innerException)
        : base(ErrorCode.ConnectionLost, message, innerException)
    {
    }
}
