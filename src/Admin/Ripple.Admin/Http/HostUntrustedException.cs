namespace Ripple.Admin.Http;

/// <summary>A host that answered the handshake and is not trusted.</summary>
/// <param name="why">Why, and what to do.</param>
internal sealed class HostUntrustedException(string why) : Exception(why)
{
    /// <summary>The one behind a failure of a request; null when it failed of something else.</summary>
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
