using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// Tells the other hosts of a cluster where this one is, and this one where they are. Asks a database that may be away for long, so it
/// holds up nobody.
/// </summary>
/// <param name="own">Where this host is.</param>
/// <param name="ask">Tells it, and gives the endpoints of all hosts, this one's first. Blocks.</param>
/// <param name="use">Takes the endpoints. Blocks.</param>
/// <param name="onFailed">Called with what failed: once, until it succeeds.</param>
internal sealed class EndpointShare(
    HostEndpoint own, Func<IReadOnlyList<HostEndpoint>> ask, Action<IReadOnlyList<HostEndpoint>> use, Action<string> onFailed)
{
    private Task _running = Task.CompletedTask;
    private bool _isUsed;
    private bool _isFailed;

    /// <summary>Shares on a thread of the pool, unless that is still under way. One thread at a time.</summary>
    /// <returns>The share under way.</returns>
    public Task Begin() => _running.IsCompleted ? _running = Task.Run(() =>
    {
        try
        {
            Run();
        }
        catch (GmsServerException e)
        {
            Fail(e.Message);
        }
    }) : _running;

    /// <summary>Shares. Blocks. Where nobody can be asked the first time, this host's own endpoint is used.</summary>
    /// <exception cref="GmsServerException">The endpoints cannot be used.</exception>
    public void Run()
    {
        try
        {
            use(ask());
            _isFailed = false;
        }
        catch (StoreException e)
        {
            Fail(e.Message);
            if (!_isUsed)
            {
                use([own]);
            }
        }

        _isUsed = true;
    }

    private void Fail(string why)
    {
        if (!_isFailed)
        {
            _isFailed = true;
            onFailed(why);
        }
    }
}
