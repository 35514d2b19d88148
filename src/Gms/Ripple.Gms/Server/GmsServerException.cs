namespace Ripple.Gms.Server;

/// <summary>A host cannot start, or cannot go on. The message is one line for its operator: what is wrong, where, and what to do.</summary>
public sealed class GmsServerException : Exception
{
    /// <summary>Says what is wrong.</summary>
    public GmsServerException(string message)
        : base(message)
    {
    }

    /// <summary>Says what is wrong, and what it came from.</summary>
    public GmsServerException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}
