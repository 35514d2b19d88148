using System.Globalization;

namespace Ripple.Admin.Http;

/// <summary>A host that did not answer in time.</summary>
/// <param name="endpoint">The host, for display.</param>
/// <param name="waited">The actual waiting time.</param>
/// <param name="wasSent">False if no connection was established, so that the request was never sent.</param>
/// <param name="inner">The exception that ended the wait.</param>
internal sealed class HostSilentException(string endpoint, TimeSpan waited, bool wasSent, Exception inner) : Exception(
    string.Create(
        CultureInfo.InvariantCulture,
        $"{endpoint} {(wasSent ? "did not answer" : "did not take a connection")} within {waited.TotalSeconds:0.#} s."),
    inner)
{
    /// <summary>False if the request was never sent.</summary>
    public bool WasSent => wasSent;
}
