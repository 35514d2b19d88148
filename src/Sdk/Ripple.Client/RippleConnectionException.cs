using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>No host could be reached, or the connection was lost and the call cannot be asked again.</summary>
public sealed class RippleConnectionException : RippleException
{
    /// <summary>Makes one.</summary>
    public RippleConnectionException()
        : this("No host can be reached.")
    {
    }

    /// <summary>Makes one.</summary>
    public RippleConnectionException(string message)
        : base(ErrorCode.ConnectionLost, message)
    {
    }

    /// <summary>Makes one.</summary>
    public RippleConnectionException(string message, Exception? innerException)
        : base(ErrorCode.ConnectionLost, message, innerException)
    {
    }
}
