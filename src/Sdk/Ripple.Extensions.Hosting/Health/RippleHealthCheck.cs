using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Ripple.Client;
using Ripple.Extensions.Hosting.Connections;

namespace Ripple.Extensions.Hosting.Health;

/// <summary>
/// Whether this process follows its hosts. Healthy while connected, confirmed, and with the newest release in effect, or being decided for
/// no longer than a validation may take; otherwise degraded, with the seconds since a host last confirmed its state, and with what stands
/// rejected or undecided here; unhealthy only beyond the maximum age set in the options. For readiness, never for liveness: a restart would
/// not fetch anything newer.
/// </summary>
internal sealed class RippleHealthCheck(ConnectionHolder holder, TimeProvider clock) : IHealthCheck
{
    /// <summary>
    /// Connected but unconfirmed for longer than this means that releases do not get through. Heartbeats confirm every few seconds.
    /// </summary>
    private const double ConfirmedWithinSeconds = 60;

    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.FromResult(Check());

    private HealthCheckResult Check()
    {
        RippleConnection connection = holder.Connection;
        if (connection.Client is not { } client)
        {
            return connection.IsConfigured
                ? HealthCheckResult.Degraded("The client is not running.")
                : HealthCheckResult.Degraded($"There is no connection string. {connection.Advice}");
        }

        RippleRelease release = client.Current();
        double? staleSeconds = client.ConfirmedAt is { } at ? Math.Max(0, Math.Floor((clock.GetUtcNow() - at).TotalSeconds)) : null;
        var data = new Dictionary<string, object>(StringComparer.Ordinal)
        {
            ["application"] = client.Application,
            ["state"] = client.ConnectionState.ToString(),
            ["generation"] = release.Generation,
            ["release"] = release.Release,
            ["received"] = client.NewestReceived,
        };
        if (staleSeconds is { } seconds)
        {
            data["stale_seconds"] = seconds;
        }

        string standing = string.Empty;
        if (client.Rejection is { } rejection)
        {
            data["rejected"] = rejection.Release;
            data["reason"] = rejection.Reason;
            standing = string.Create(
                CultureInfo.InvariantCulture, $" Release {rejection.Release} stands rejected here: {rejection.Reason}");
        }
        else if (client.UndecidedFor is var undecidedFor && undecidedFor > connection.Options.ValidationTimeout)
        {
            standing = string.Create(
                CultureInfo.InvariantCulture,
                $" Release {client.NewestReceived} is here, and has not been decided for {Math.Floor(undecidedFor.TotalSeconds)} s.");
        }

        bool isTooOld = connection.Options.MaxStaleness is { } max && !(staleSeconds <= max.TotalSeconds);
        bool isConfirmed = client.ConnectionState == ConnectionState.Connected && staleSeconds <= ConfirmedWithinSeconds;
        if (isConfirmed && !isTooOld && standing.Length == 0)
        {
            return HealthCheckResult.Healthy($"Connected; {release} is in effect.", data);
        }

        string age = staleSeconds is { } s
            ? string.Create(CultureInfo.InvariantCulture, $"confirmed by a host {s} s ago")
            : "never confirmed by a host";
        string description = $"{release} is in effect, {age}.{standing} {client.LastError}".TrimEnd();
        return isTooOld ? HealthCheckResult.Unhealthy(description, data: data) : HealthCheckResult.Degraded(description, data: data);
    }
}
