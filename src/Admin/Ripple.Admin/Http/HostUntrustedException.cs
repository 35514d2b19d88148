namespace Ripple.Admin.Http;

/// <summary>A host answered the handshake but is not trusted.</summary>
/// <param name="why">The reason, and what to do.</param>
internal sealed class HostUntrustedException(string why) : Exception(why)
{
    /// <summary>The untrusted-host exception that caused a request's failure; null if the cause was different.</summary>
    public static HostUntrustedException? In(Exception? failure)
    {
        for (; failure is not null; failure = failure.InnerException)
        {
            if (failure is HostUntrustedException found)
            {
                return found;
            }
        }

        return null;
    }
}
