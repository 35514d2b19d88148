using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Ripple.Gms.Endpoint;
using Ripple.Gms.Store;

namespace Ripple.Gms.Server;

/// <summary>
/// Polls conditions that nothing else reports, a store in trouble and expiring certificates, and writes gathered lines of the audit. A
/// thread pool task.
/// </summary>
/// <param name="resources">The store and the authority.</param>
/// <param name="endpoint">The endpoint that presents the certificate.</param>
/// <param name="signer">Renews the key that signs.</param>
/// <param name="audit">Enrolments and expulsions.</param>
/// <param name="certificate">The host's certificate; the caller disposes of <see cref="Certificate"/>.</param>
/// <param name="logger">The log.</param>
internal sealed class HostWatch(
    HostResources resources,
    LinkEndpoint endpoint,
    SignerRenewal signer,
    NodeAudit audit,
    X509Certificate2 certificate,
    ILogger logger)
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan RenewalPeriod = TimeSpan.FromHours(1);
    private static readonly TimeSpan AuditPeriod = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan SharePeriod = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan MemoryPeriod = TimeSpan.FromSeconds(3);

    private StoreStatus _loggedStatus;
    private bool _loggedMayPass = true;
    private bool _isMarkLogged;

    /// <summary>The certificate presented to new connections.</summary>
    public X509Certificate2 Certificate { get; private set; } = certificate;

    /// <summary>
    /// Called each ten seconds, for what the hosts of a cluster tell each other. Neither waits nor throws. Null for a host that is alone.
    /// </summary>
    public Action? OnShare { get; init; }

    /// <summary>Looked at each few seconds; null where the process is not the host's alone.</summary>
    public MemoryReturn? Memory { get; init; }

    /// <summary>Runs until canceled.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(Period);
        long renewalDueMs = Next(RenewalPeriod);
        long auditDueMs = Next(AuditPeriod);
        long shareDueMs = Next(SharePeriod);
        long memoryDueMs = Next(MemoryPeriod);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
            {
                CheckStore();
                if (Environment.TickCount64 >= auditDueMs)
                {
                    auditDueMs = Next(AuditPeriod);
                    await WriteAuditAsync().ConfigureAwait(false);
                }

                if (OnShare is { } share && Environment.TickCount64 >= shareDueMs)
                {
                    share();
                    shareDueMs = Next(SharePeriod);
                }

                if (Environment.TickCount64 >= memoryDueMs)
                {
                    Memory?.Look();
                    memoryDueMs = Next(MemoryPeriod);
                }

                if (Environment.TickCount64 >= renewalDueMs)
                {
                    renewalDueMs = Next(RenewalPeriod);
                    Renew();
                    await RenewSignerAsync().ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The host is stopping.
        }
    }

    /// <summary>Writes the lines that were gathered. Those that the store does not take are lost, and the log says so.</summary>
    public async Task WriteAuditAsync()
    {
        IReadOnlyList<AuditEntry> lines = audit.Take();
        try
        {
            if (lines.Count > 0)
            {
                await resources.Store.CommitAsync(new CommitBatch { Audit = lines }).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is StoreException or StoreRuleException)
        {
            HostLog.AuditLost(logger, lines.Count, e);
        }
    }

    private static long Next(TimeSpan period) => Environment.TickCount64 + (long)period.TotalMilliseconds;

    private void CheckStore()
    {
        StoreTrouble? trouble = resources.Store.Trouble;
        StoreStatus status = trouble?.Status ?? StoreStatus.Done;
        bool mayPass = trouble is not { MayPass: false };
        if (status != _loggedStatus || mayPass != _loggedMayPass)
        {
            _loggedStatus = status;
            _loggedMayPass = mayPass;
            string path = resources.Opened.Name;
            switch (status)
            {
                case StoreStatus.Failed or StoreStatus.Full when mayPass && resources.Opened.Space() is null:
                    HostLog.StoreAway(logger, path, trouble!.Reason);
                    break;
                case StoreStatus.Failed:
                    HostLog.StoreBroken(logger, path, trouble!.Reason);
                    break;
                case StoreStatus.Full:
                    HostLog.StoreFull(logger, path, trouble!.Reason, resources.Opened.Space()?.DiskFreeBytes ?? -1);
                    break;
                default:
                    HostLog.StoreRecovered(logger, path);
                    break;
            }
        }

        string? mark = resources.Opened.MarkTrouble();
        if (mark is not null && !_isMarkLogged)
        {
            HostLog.MarkBehind(logger, mark);
        }

        _isMarkLogged = mark is not null;
    }

    private async Task RenewSignerAsync()
    {
        try
        {
            await signer.StepAsync(signer.IsDue()).ConfigureAwait(false);
        }
        catch (GmsServerException e)
        {
            HostLog.RenewalFailed(logger, resources.Directory.Signer, e);
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
