using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>The client could not be started: no host admitted it in time, and there is no snapshot it may start from.</summary>
public sealed class RippleConnectionException : RippleException
{
    /// <summary>Creates an exception with a default message.</summary>
    public RippleConnectionException()
        : this("No host can be reached.")
    {
    }

    /// <summary>Creates an exception with a message.</summary>
    public RippleConnectionException(string message)
        : base(ErrorCode.ConnectionLost, message)
    {
    }

    /// <summary>Creates an exception with a message and its cause.</summary>
    public RippleConnectionException(string message, Exception? innerException)
        : base(ErrorCode.ConnectionLost, message, innerException)
    {
    }
}
