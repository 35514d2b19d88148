using Microsoft.AspNetCore.Connections;
using Ripple.Gms.Api;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// The place of an HTTP connection. Until its first request with a good token it is one of those of whom nothing is known, which give way
/// to each other and are closed after a few seconds; then it is one of its token's. Any thread.
/// </summary>
internal sealed class HttpPlace : IConnectionProof, IDisposable
{
    private readonly Lock _lock = new();
    private readonly SourcePlaces.Place _unproved;
    private readonly ProvedPlaces _proved;
    private readonly Action _giveWay;
    private readonly Timer _timer;
    private ProvedPlaces.Place? _place;
    private bool _isOver;

    /// <param name="source">Where the connection comes from.</param>
    /// <param name="unproved">The places of those without a good token yet.</param>
    /// <param name="proved">The places of those who showed one.</param>
    /// <param name="timeout">How long it may go without a good token.</param>
    /// <param name="abort">Ends the connection.</param>
    /// <param name="onPushedOut">Called when it gives way, or finds no place.</param>
    public HttpPlace(
        SourceAddress source, SourcePlaces unproved, ProvedPlaces proved, TimeSpan timeout, Action abort, Action onPushedOut)
    {
        _proved = proved;
        _giveWay = () =>
        {
            onPushedOut();
            abort();
        };
        _unproved = unproved.Take(source, _giveWay);
        _timer = new Timer(_ => AbortUnproved(abort), null, timeout, Timeout.InfiniteTimeSpan);
    }

    /// <summary>For connections of HTTP, once past their handshake.</summary>
    public static HttpPlace Of(
        ConnectionContext connection, SourcePlaces unproved, ProvedPlaces proved, TimeSpan timeout, Action onPushedOut) =>
        new(SourceAddress.Of(connection.RemoteEndPoint), unproved, proved, timeout, connection.Abort, onPushedOut);

    /// <inheritdoc/>
    public bool TryBegin(ShareOwner owner, bool isAdministrator)
    {
        lock (_lock)
        {
            if (_isOver)
            {
                return false;
            }

            if (_place is not null)
            {
                _place.Begin();
                return true;
            }

            _place = _proved.TryTake(owner, isAdministrator, _giveWay);
            if (_place is null)
            {
                return false;
            }
        }

        _timer.Dispose();
        _unproved.Dispose();
        return true;
    }

    /// <inheritdoc/>
    public void End() => _place!.End();

    public void Dispose()
    {
        lock (_lock)
        {
            _isOver = true;
            _place?.Dispose();
        }

        _timer.Dispose();
        _unproved.Dispose();
    }

    private void AbortUnproved(Action abort)
    {
        lock (_lock)
        {
            if (_place is not null)
            {
                return;
            }
        }

        abort();
    }
}
