namespace Ripple.Gms.Store;

/// <summary>The store cannot be opened or read: the message says which file, what is wrong and what to do.</summary>
public class StoreException : Exception
{
    /// <summary>Says what is wrong.</summary>
    public StoreException(string message)
        : base(message)
    {
    }

    /// <summary>Says what is wrong, and what it came from.</summary>
    public StoreException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}
