namespace Ripple.Gms.Store;

/// <summary>The store cannot be opened, read or written; the message states the file, the problem and the remedy.</summary>
public class StoreException : Exception
{
    /// <summary>Creates an exception with a message.</summary>
    public StoreException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with a message and its cause.</summary>
    public StoreException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}
