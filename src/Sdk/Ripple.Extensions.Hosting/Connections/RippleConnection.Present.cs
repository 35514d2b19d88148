using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>The state shown before any decision: the one that this process accepted before, or else the newest.</content>
internal sealed partial class RippleConnection
{
    private FlatConfiguration? _unjudged;
    private volatile string? _malformed;
    private bool _isWithdrawn;

    /// <summary>Whether the state shown has not been validated and is not in effect.</summary>
    public bool IsUnjudged => ReferenceEquals(Current, Volatile.Read(ref _unjudged));

    /// <summary>
    /// Shows the state present at the start. Does not wait for the semaphore, whose holder may be waiting for the start: reads see the
    /// state at once, and listeners are notified when the semaphore is free.
    /// </summary>
    private void Adopt(RippleRelease release, bool isUnjudged = false)
    {
        long startedAt = _scheduler.Clock.GetTimestamp();
        if (release.Release == 0 || !IsNews(release, Current))
        {
            return;
        }

        if (_sections.TryFlatten(release, out IReadOnlyList<string> errors) is not { } adopted)
        {
            HostingMetrics.Rejected(release.Application);
            _malformed = string.Join(' ', errors);
            HostingLog.Rejected(_logger, Name, release.ToString(), _malformed);
            return;
        }

        if (isUnjudged)
        {
            Volatile.Write(ref _unjudged, adopted);
        }

        FlatConfiguration seen;
        do
        {
            seen = Current;
            if (!IsNews(release, seen))
            {
                return;
            }
        }
        while (!ReferenceEquals(Interlocked.CompareExchange(ref _current, adopted, seen), seen));

        TellWhenFree(adopted, () =>
        {
            if (isUnjudged)
            {
                HostingLog.Unjudged(_logger, Name, release.ToString());
                NewReload(adopted).Call();
            }
            else
            {
                Tell(adopted, NewReload(adopted), startedAt);
            }
        });
    }

    /// <summary>Shows nothing from now on, if this state, which was not accepted, is still the one shown.</summary>
    private void Withdraw(FlatConfiguration shown)
    {
        if (ReferenceEquals(Interlocked.CompareExchange(ref _current, FlatConfiguration.Empty, shown), shown))
        {
            Volatile.Write(ref _isWithdrawn, true);
            TellWhenFree(FlatConfiguration.Empty, () => NewReload(FlatConfiguration.Empty).Call());
        }
    }

    /// <summary>Shows nothing from now on if the state shown was never validated; called when something is rejected.</summary>
    private void WithdrawUnjudged()
    {
        if (Volatile.Read(ref _unjudged) is { } shown)
        {
            Withdraw(shown);
        }
    }

    private void TellWhenFree(FlatConfiguration shown, Action tell)
    {
        Task entering = _scheduler.EnterAsync(_applying, Timeout.InfiniteTimeSpan, CancellationToken.None);
        if (entering.IsCompletedSuccessfully)
        {
            Tell();
        }
        else
        {
            _ = TellLaterAsync();
        }

        async Task TellLaterAsync()
        {
            await entering.ConfigureAwait(false);
            Tell();
        }

        void Tell()
        {
            try
            {
                // Otherwise the listeners were already notified of something newer.
                if (ReferenceEquals(Current, shown))
                {
                    tell();
                }
            }
            finally
            {
                _applying.Release();
            }
        }
    }

    private static bool IsNews(RippleRelease release, FlatConfiguration seen) =>
        seen.Release is not { } current || (release.Generation, release.Release).CompareTo((current.Generation, current.Release)) > 0;
}
