using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>The time given ran out first. Whether the host did what it was asked is not known, unless the message says so.</summary>
public sealed class RippleTimeoutException : RippleException
{
    /// <summary>Makes one.</summary>
    public RippleTimeoutException()
        : this("The time ran out.")
    {
    }

    /// <summary>Makes one.</summary>
    public RippleTimeoutException(string message)
        : base(ErrorCode.ConnectionLost, message)
    {
    }

    /// <summary>Makes one.</summary>
    public RippleTimeoutException(string message, Exception? innerException)
        : base(ErrorCode.ConnectionLost, message, innerException)
    {
    }
}
