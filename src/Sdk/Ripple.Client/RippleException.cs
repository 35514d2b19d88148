using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>Something the client was asked for did not succeed. The message says what was wrong, where, and what to do.</summary>
public class RippleException : Exception
{
    /// <summary>Makes one without code.</summary>
    public RippleException()
        : this("The request failed.")
    {
    }

    /// <summary>Makes one without code.</summary>
    public RippleException(string message)
        : base(message)
    {
    }

    /// <summary>Makes one without code.</summary>
    public RippleException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Makes one with a code.</summary>
    public RippleException(ErrorCode code, string message, Exception? innerException = null)
        : base(message, innerException) => Code = code;

    /// <summary>What a program decides by; <see cref="ErrorCode.None"/> when there is nothing to decide.</summary>
    public ErrorCode Code { get; }
}
