using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Ripple.Gms.Endpoint;

namespace Ripple.Gms.Server;

/// <summary>Polls conditions that nothing else reports: a broken store and an expiring certificate. A thread pool task.</summary>
/// <param name="resources">The store and the authority.</param>
/// <param name="endpoint">The endpoint that presents the certificate.</param>
/// <param name="certificate">The host's certificate; the caller disposes of <see cref="Certificate"/>.</param>
/// <param name="logger">The log.</param>
/// <param name="onStoreBroken">Called once when the store has broken.</param>
internal sealed class HostWatch(
    HostResources resources, LinkEndpoint endpoint, X509Certificate2 certificate, ILogger logger, Action onStoreBroken)
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan RenewalPeriod = TimeSpan.FromHours(1);

    private bool _isBroken;

    /// <summary>The certificate presented to new connections.</summary>
    public X509Certificate2 Certificate { get; private set; } = certificate;

    /// <summary>Runs until canceled.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(Period);
        long renewalDueMs = NextRenewalMs();
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
            {
                CheckStore();
                if (Environment.TickCount64 >= renewalDueMs)
                {
                    renewalDueMs = NextRenewalMs();
                    Renew();
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The host is stopping.
        }
    }

    private static long NextRenewalMs() => Environment.TickCount64 + (long)RenewalPeriod.TotalMilliseconds;

    private void CheckStore()
    {
        if (resources.Store.IsBroken && !_isBroken)
        {
            _isBroken = true;
            HostLog.StoreBroken(logger, resources.Directory.Store);
            onStoreBroken();
        }
    }

    private void Renew()
    {
        try
        {
            if (resources.Trust.Authority.IsDue(Certificate))
            {
                // The old certificate is not disposed of: existing connections still use it.
                Certificate = resources.Trust.HostCertificate();
                endpoint.UseCertificate(Certificate);
            }
        }
        catch (GmsServerException e)
        {
            HostLog.RenewalFailed(logger, resources.Directory.Host, e);
        }
    }
}
