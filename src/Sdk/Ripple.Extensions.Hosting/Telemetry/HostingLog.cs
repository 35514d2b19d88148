using Microsoft.Extensions.Logging;

namespace Ripple.Extensions.Hosting.Telemetry;

/// <summary>The messages hosting logs; never a value. Event ids 1100 to 1199; an id is never reused for another message.</summary>
internal static partial class HostingLog
{
    public const string Category = "Ripple.Extensions.Hosting";

    [LoggerMessage(1100, LogLevel.Information, "{Connection}: {Release} is the configuration: {Values} values.")]
    public static partial void Applied(ILogger logger, string connection, string release, int values);

    [LoggerMessage(1101, LogLevel.Error, "{Connection}: {Release} is not used and what is in effect stays: {Reason}")]
    public static partial void Rejected(ILogger logger, string connection, string release, string reason);

    [LoggerMessage(
        1102,
        LogLevel.Error,
        "A callback of a reload failed; the release is in effect all the same, and the callback is called again at the next.")]
    public static partial void CallbackFailed(ILogger logger, Exception exception);

    [LoggerMessage(
        1103,
        LogLevel.Warning,
        "{Connection}: the callbacks of {Release} take longer than {Seconds} s. They go on; the release counts as applied.")]
    public static partial void CallbacksSlow(ILogger logger, string connection, string release, double seconds);

    [LoggerMessage(1104, LogLevel.Error, "{Connection}: the start failed: {Reason}")]
    public static partial void StartFailed(ILogger logger, string connection, string reason);

    [LoggerMessage(
        1105,
        LogLevel.Error,
        "{Connection}: the start failed, and the configuration begins without releases, because it is optional: "
            + "{Reason} The client goes on trying.")]
    public static partial void StartedWithout(ILogger logger, string connection, string reason);

    [LoggerMessage(
        1106,
        LogLevel.Warning,
        "{Connection}: there is no connection string, and the configuration is without releases, because it is optional. {Advice}")]
    public static partial void NotConfigured(ILogger logger, string connection, string advice);

    [LoggerMessage(
        1107,
        LogLevel.Error,
        "{Connection}: what is in effect does not pass the options' validation: "
            + "{Failures} What this process accepted before is in effect no more; what others gave it stays until a release passes.")]
    public static partial void PresentInvalid(ILogger logger, string connection, string failures);

    [LoggerMessage(
        1110,
        LogLevel.Information,
        "{Connection}: {Release} is shown while the services are built, and judged when they are: this process has accepted none before.")]
    public static partial void Unjudged(ILogger logger, string connection, string release);

    [LoggerMessage(
        1111,
        LogLevel.Warning,
        "{Connection}: the key '{Key}' is one text value of the configuration, because of documents JSON alone is read. "
            + "Publish it as JSON, or name the keys that are configuration in RippleOptions.Keys.")]
    public static partial void Unread(ILogger logger, string connection, string key);

    [LoggerMessage(1108, LogLevel.Error, "{Connection}: the client could not be stopped in order.")]
    public static partial void StopFailed(ILogger logger, string connection, Exception exception);

    [LoggerMessage(
        1109,
        LogLevel.Error,
        "{Connection}: what is in effect could not be validated within {Seconds} s: this validation, or one before it, has not ended. "
            + "The start goes on; while a validation does not end, releases are rejected.")]
    public static partial void PresentNotValidated(ILogger logger, string connection, double seconds);
}
