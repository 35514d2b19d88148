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
    /// Publishes key changes as one release; completes when it is committed. Repeating it with the same publish id does not release it
    /// twice.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="request">The changes.</param>
    /// <param name="expectedRelease">The publish is refused unless this is the newest release; null for no check. With its generation it is
    /// one release for ever; a number alone is that of the present generation.</param>
    /// <param name="publishId">The caller's own id for the publish; null for a new one.</param>
    /// <param name="cancellationToken">Stops waiting; does not undo the publish.</param>
    public Task<PublishResult> PublishAsync(
        string application,
        PublishRequest request,
        ReleaseNumber? expectedRelease = null,
        Guid? publishId = null,
        CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            Publish(application, request, expectedRelease, publishId ?? Guid.NewGuid(), isDryRun: false),
            AdminJson.Default.PublishResult,
            cancellationToken);

    /// <summary>The changes such a publish would make, and the nodes it would reach. Validates everything; changes nothing.</summary>
    public Task<PublishPlan> PlanPublishAsync(
        string application, PublishRequest request, ReleaseNumber? expectedRelease = null, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            Publish(application, request, expectedRelease, Guid.NewGuid(), isDryRun: true),
            AdminJson.Default.PublishPlan,
            cancellationToken);

    /// <summary>Publishes the state of a past release as the newest release.</summary>
    /// <param name="application">The application.</param>
    /// <param name="request">The release to return to, and the reason.</param>
    /// <param name="expectedRelease">As for a publish.</param>
    /// <param name="publishId">As for a publish.</param>
    /// <param name="cancellationToken">Stops waiting; does not undo the rollback.</param>
    public Task<PublishResult> RollbackAsync(
        string application,
        RollbackRequest request,
        ReleaseNumber? expectedRelease = null,
        Guid? publishId = null,
        CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            Rollback(application, request, expectedRelease, publishId ?? Guid.NewGuid(), isDryRun: false),
            AdminJson.Default.PublishResult,
            cancellationToken);

    /// <summary>The changes such a rollback would make, and the nodes it would reach. Changes nothing.</summary>
    public Task<PublishPlan> PlanRollbackAsync(
        string application,
        RollbackRequest request,
        ReleaseNumber? expectedRelease = null,
        CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            Rollback(application, request, expectedRelease, Guid.NewGuid(), isDryRun: true),
            AdminJson.Default.PublishPlan,
            cancellationToken);

    /// <summary>The releases, newest first.</summary>
    /// <param name="application">The application.</param>
    /// <param name="before">Only releases before this one; null for all.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
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

    /// <summary>The difference between two states, by key.</summary>
    /// <param name="application">The application.</param>
    /// <param name="from">The earlier release; 0 is the empty state.</param>
    /// <param name="to">The later release; null for the newest.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public Task<Diff> DiffAsync(string application, ulong from, ulong? to = null, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            HttpCall.Get(PathText.Query($"{PathText.Application(application)}/diff", ("from", from), ("to", to))),
            AdminJson.Default.Diff,
            cancellationToken);

    private HttpCall Publish(string application, PublishRequest request, ReleaseNumber? expectedRelease, Guid publishId, bool isDryRun)
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
    /// Converts text to the bytes it is stored as: base64 has a known size in JSON, whereas escapes can make text six times longer, which
    /// is more than a host accepts.
    /// </summary>
    private static KeyValue ToBytes(KeyValue value) =>
        value is { Text: { } text, Bytes: null } ? value with { Text = null, Bytes = Encoding.UTF8.GetBytes(text) } : value;

    /// <summary>A host would also refuse it, but only after receiving all of it.</summary>
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

    private HttpCall Rollback(string application, RollbackRequest request, ReleaseNumber? expectedRelease, Guid publishId, bool isDryRun)
    {
        ArgumentNullException.ThrowIfNull(request);
        return Change($"{PathText.Application(application)}/rollback", isDryRun, expectedRelease, publishId, () => JsonContent.Create(
            request, AdminJson.Default.RollbackRequest));
    }

    private HttpCall Change(string path, bool isDryRun, ReleaseNumber? expectedRelease, Guid publishId, Func<HttpContent> content) =>
        new(HttpMethod.Post, isDryRun ? $"{path}?dryRun=true" : path)
        {
            Content = content,
            Timeout = _options.ChangeTimeout,
            Prepare = headers =>
            {
                headers.Headers.Add(AdminRoutes.IdempotencyKeyHeader, publishId.ToString());
                if (expectedRelease is { } expected)
                {
                    headers.Headers.IfMatch.Add(new EntityTagHeaderValue($"\"{expected}\""));
                }
            },
        };
}
