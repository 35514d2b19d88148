using System.Runtime.CompilerServices;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;

namespace Ripple.Admin;

/// <content>Monitors.</content>
public sealed partial class RippleAdminClient
{
    /// <summary>
    /// Follows a predicate: the newest release for which it holds, now and whenever that changes, over the members of the moment. A name is
    /// followed when another predicate gets it. Points never go back in the order of generation, version and release; who takes them slowly
    /// gets the newest. After a lost connection it goes on at a host that can be reached.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="predicate">The predicate, or the name of one.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="RippleAdminException">The host refused, the name was removed, or no host can be reached.</exception>
    public async IAsyncEnumerable<MonitorPoint> MonitorAsync(
        string application, string predicate, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        string path = PathText.Query($"{PathText.Application(application)}/monitor", ("predicate", predicate));
        MonitorPoint? last = null;
        await foreach (MonitorPoint point in new EventStream(_http, _options).ReadAsync(
            path, AdminRoutes.PointEvent, AdminJson.Default.MonitorPoint, cancellationToken).ConfigureAwait(false))
        {
            if (IsNews(point, last))
            {
                yield return last = point;
            }
        }
    }

    private static bool IsNews(MonitorPoint point, MonitorPoint? last)
    {
        if (last is null)
        {
            return true;
        }

        int order = (point.Generation, point.Version, point.Release).CompareTo((last.Generation, last.Version, last.Release));
        return order > 0 || (order == 0 && point.Problem != last.Problem);
    }
}
