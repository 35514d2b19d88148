using System.Globalization;
using System.Net.Http.Json;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>Applications and their contents.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>The applications the caller may read, sorted by name.</summary>
    public IAsyncEnumerable<ApplicationInfo> ListApplicationsAsync(CancellationToken cancellationToken = default) => PagesAsync(
        cursor => PathText.Query($"{AdminRoutes.Prefix}/applications", ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
        AdminJson.Default.PageApplicationInfo,
        cancellationToken);

    /// <summary>One application.</summary>
    public Task<ApplicationInfo> GetApplicationAsync(string application, CancellationToken cancellationToken = default) =>
        _http.SendAsync(HttpCall.Get(PathText.Application(application)), AdminJson.Default.ApplicationInfo, cancellationToken);

    /// <summary>Creates an application; requires an administrator of the cluster.</summary>
    public Task<ApplicationInfo> CreateApplicationAsync(string application, CancellationToken cancellationToken = default) =>
        _http.SendAsync(
            new HttpCall(HttpMethod.Post, $"{AdminRoutes.Prefix}/applications")
            {
                Content = () => JsonContent.Create(new CreateApplicationRequest(application), AdminJson.Default.CreateApplicationRequest),
                MayRepeat = false,
            },
            AdminJson.Default.ApplicationInfo,
            cancellationToken);

    /// <summary>The keys at a release, ordered by their UTF-8 bytes.</summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release; null for the newest.</param>
    /// <param name="prefix">Only keys that start with this; null for all.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public IAsyncEnumerable<KeyInfo> ListKeysAsync(
        string application, ulong? release = null, string? prefix = null, CancellationToken cancellationToken = default) => PagesAsync(
            cursor => PathText.Query(
                $"{PathText.Application(application)}/keys",
                ("release", release),
                ("prefix", prefix),
                ("cursor", cursor),
                ("limit", AdminLimits.PageItemsMax)),
            AdminJson.Default.PageKeyInfo,
            cancellationToken);

    /// <summary>The value of a key, byte for byte as published. A missing key fails with <see cref="ProblemCodes.NotFound"/>.</summary>
    /// <param name="application">The application.</param>
    /// <param name="key">The key.</param>
    /// <param name="release">The release; null for the newest.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async Task<KeyContent> ReadKeyAsync(
        string application, string key, ulong? release = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        var call = HttpCall.Get(PathText.Query($"{PathText.Application(application)}/value", ("key", key), ("release", release)));
        using HttpResponseMessage response = await _http.OpenAsync(
            call, HttpCompletionOption.ResponseContentRead, cancellationToken).ConfigureAwait(false);
        byte[] bytes = await response.Content.ReadAsByteArrayAsync(cancellationToken).ConfigureAwait(false);
        return new KeyContent(
            key, uint.Parse(Header(AdminRoutes.GenerationHeader), CultureInfo.InvariantCulture), ulong.Parse(
                Header(AdminRoutes.ReleaseHeader), CultureInfo.InvariantCulture), bytes);

        string Header(string name) => response.Headers.TryGetValues(name, out IEnumerable<string>? values) ? values.First() : "0";
    }
}
