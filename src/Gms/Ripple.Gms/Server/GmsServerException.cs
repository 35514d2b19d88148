namespace Ripple.Gms.Server;

/// <summary>A host cannot start or continue. The message is one line for its operator: the problem, its place and the remedy.</summary>
public sealed class GmsServerException : Exception
{
    /// <summary>Creates an exception with a message.</summary>
    public GmsServerException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with a message and its cause.</summary>
    public GmsServerException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}
