using System.Globalization;

namespace Ripple.Admin.Http;

/// <summary>A host that did not answer in time.</summary>
/// <param name="endpoint">The host, for people.</param>
/// <param name="waited">How long it was really waited for.</param>
/// <param name="wasSent">False when no connection came about, so that the request never left.</param>
/// <param name="inner">What ended it.</param>
internal sealed class HostSilentException(string endpoint, TimeSpan waited, bool wasSent, Exception inner) : Exception(
    string.Create(
        CultureInfo.InvariantCulture,
        $"{endpoint} {(wasSent ? "did not answer" : "did not take a connection")} within {waited.TotalSeconds:0.#} s."),
    inner)
{
    /// <summary>False when the request never left.</summary>
    public bool WasSent => wasSent;
}
