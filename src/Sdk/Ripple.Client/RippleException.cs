using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>A client operation failed. The message says what was wrong, where, and what to do.</summary>
public class RippleException : Exception
{
    /// <summary>Creates an exception with a default message and no code.</summary>
    public RippleException()
        : this("The request failed.")
    {
    }

    /// <summary>Creates an exception with no code.</summary>
    public RippleException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with a cause and no code.</summary>
    public RippleException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Creates an exception with a code.</summary>
    public RippleException(ErrorCode code, string message, Exception? innerException = null)
        : base(message, innerException) => Code = code;

    /// <summary>The code for programs to act on; <see cref="ErrorCode.None"/> if there is none.</summary>
    public ErrorCode Code { get; }
}
