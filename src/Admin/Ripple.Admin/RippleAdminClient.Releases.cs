using System.Globalization;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>Releases.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>
    /// Publishes key changes as one release; returns when it is committed. Asked again with the same publish id it is not released twice.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="request">The changes.</param>
    /// <param name="expectedRelease">Refused unless this is the newest release; null for any.</param>
    /// <param name="publishId">The caller's own name for it; null for a new one.</param>
    /// <param name="cancellationToken">Gives up waiting; that does not undo it.</param>
    public Task<PublishResult> PublishAsync(
        string application,
        PublishRequest request,
        ulong? expectedRelease = null,
        Guid? publishId = null,
        CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            Publish(application, request, expectedRelease, publishId ?? Guid.NewGuid(), isDryRun: false),
            AdminJson.Default.PublishResult,
            cancellationToken);

    /// <summary>What such a publish would change, and which nodes it would reach. Changes nothing; checks everything.</summary>
    public Task<PublishPlan> PlanPublishAsync(
        string application, PublishRequest request, ulong? expectedRelease = null, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            Publish(application, request, expectedRelease, Guid.NewGuid(), isDryRun: true),
            AdminJson.Default.PublishPlan,
            cancellationToken);

    /// <summary>Makes the state of a past release the newest release.</summary>
    /// <param name="application">The application.</param>
    /// <param name="request">Where to, and why.</param>
    /// <param name="expectedRelease">As for a publish.</param>
    /// <param name="publishId">As for a publish.</param>
    /// <param name="cancellationToken">Gives up waiting; that does not undo it.</param>
    public Task<PublishResult> RollbackAsync(
        string application,
        RollbackRequest request,
        ulong? expectedRelease = null,
        Guid? publishId = null,
        CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            Rollback(application, request, expectedRelease, publishId ?? Guid.NewGuid(), isDryRun: false),
            AdminJson.Default.PublishResult,
            cancellationToken);

    /// <summary>What such a rollback would change, and which nodes it would reach. Changes nothing.</summary>
    public Task<PublishPlan> PlanRollbackAsync(
        string application, RollbackRequest request, ulong? expectedRelease = null, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            Rollback(application, request, expectedRelease, Guid.NewGuid(), isDryRun: true),
            AdminJson.Default.PublishPlan,
            cancellationToken);

    /// <summary>The releases, newest first.</summary>
    /// <param name="application">The application.</param>
    /// <param name="before">Only releases before this one; null for all.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public IAsyncEnumerable<ReleaseInfo> ListReleasesAsync(
        string application, ulong? before = null, CancellationToken cancellationToken = default) => PagesAsync(
            cursor => PathText.Query($"{PathText.Application(application)}/releases", ("cursor", cursor
                ?? before?.ToString(CultureInfo.InvariantCulture)), ("limit", AdminLimits.PageItemsMax)),
            AdminJson.Default.PageReleaseInfo,
            cancellationToken);

    /// <summary>One release.</summary>
    public Task<ReleaseInfo> GetReleaseAsync(string application, ulong release, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            HttpCall.Get($"{PathText.Application(application)}/releases/{PathText.Number(release)}"),
            AdminJson.Default.ReleaseInfo,
            cancellationToken);

    /// <summary>How two states differ, by keys.</summary>
    /// <param name="application">The application.</param>
    /// <param name="from">The release before; 0 is the empty state.</param>
    /// <param name="to">The release after; null for the newest.</param>
    /// <param name="cancellationToken">Gives up.</param>
    public Task<Diff> DiffAsync(string application, ulong from, ulong? to = null, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            HttpCall.Get(PathText.Query($"{PathText.Application(application)}/diff", ("from", from), ("to", to))),
            AdminJson.Default.Diff,
            cancellationToken);

    private HttpCall Publish(string application, PublishRequest request, ulong? expectedRelease, Guid publishId, bool isDryRun)
    {
        ArgumentNullException.ThrowIfNull(request);
        CheckSize(request);
        PublishRequest sent = request with { Set = [.. request.Set.Select(ToBytes)] };
        return Change(
            $"{PathText.Application(application)}/releases",
            isDryRun,
            expectedRelease,
            publishId,
            () => JsonContent.Create(sent, AdminJson.Default.PublishRequest));
    }

    /// <summary>
    /// A text as the bytes it is stored as: in base64 its size in JSON is known, where escapes make up to six times of it, more than a host
    /// takes.
    /// </summary>
    private static KeyValue ToBytes(KeyValue value) =>
        value is { Text: { } text, Bytes: null } ? value with { Text = null, Bytes = Encoding.UTF8.GetBytes(text) } : value;

    /// <summary>A host would refuse it as well, but only after it all was sent.</summary>
    private static void CheckSize(PublishRequest request)
    {
        long bytes = request.Set.Sum(k => k.Bytes?.LongLength ?? Encoding.UTF8.GetByteCount(k.Text ?? string.Empty));
        if (bytes > AdminLimits.PublishBytesMax)
        {
            throw new RippleAdminException(new Problem
            {
                Code = ProblemCodes.TooLarge,
                Title = "Too large",
                Detail = string.Create(
                    CultureInfo.InvariantCulture,
                    $"The values have {bytes} bytes together; a publish has at most {AdminLimits.PublishBytesMax}. "
                        + $"Publish in parts, or split a large value over several keys."),
                Status = 413,
            });
        }
    }

    private HttpCall Rollback(string application, RollbackRequest request, ulong? expectedRelease, Guid publishId, bool isDryRun)
    {
        ArgumentNullException.ThrowIfNull(request);
        return Change($"{PathText.Application(application)}/rollback", isDryRun, expectedRelease, publishId, () => JsonContent.Create(
            request, AdminJson.Default.RollbackRequest));
    }

    private HttpCall Change(string path, bool isDryRun, ulong? expectedRelease, Guid publishId, Func<HttpContent> content) =>
        new(HttpMethod.Post, isDryRun ? $"{path}?dryRun=true" : path)
        {
            Content = content,
            Timeout = _options.ChangeTimeout,
            Prepare = headers =>
            {
                headers.Headers.Add(AdminRoutes.IdempotencyKeyHeader, publishId.ToString());
                if (expectedRelease is { } expected)
                {
                    headers.Headers.IfMatch.Add(new EntityTagHeaderValue($"\"{PathText.Number(expected)}\""));
                }
            },
        };
}
