using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>The regions of a host.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>
    /// The regions of the host that answers, by name, without their parts; requires an administrator of the cluster. Regions appear with
    /// their first member and disappear with their last.
    /// </summary>
    public IAsyncEnumerable<RegionInfo> ListRegionsAsync(CancellationToken cancellationToken = default) => PagesAsync(
        cursor => PathText.Query($"{AdminRoutes.Prefix}/regions", ("cursor", cursor), ("limit", AdminLimits.PageItemsMax)),
        AdminJson.Default.PageRegionInfo,
        cancellationToken);

    /// <summary>
    /// One region with the parts of its view; requires an administrator of the cluster. A region that is not there fails with
    /// <see cref="ProblemCodes.NotFound"/>.
    /// </summary>
    /// <param name="name">Its name, or as many of its first digits as no other name has.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public Task<RegionInfo> GetRegionAsync(string name, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return _http.SendAsync(
            HttpCall.Get($"{AdminRoutes.Prefix}/regions/{Uri.EscapeDataString(name)}"), AdminJson.Default.RegionInfo, cancellationToken);
    }
}
