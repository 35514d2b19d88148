using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>What is shown before anything is decided: the state that this process accepted before, or, without one, the newest.</content>
internal sealed partial class RippleConnection
{
    private FlatConfiguration? _unjudged;
    private volatile string? _malformed;
    private bool _isWithdrawn;

    /// <summary>Whether what is shown has not been judged, and is not in effect.</summary>
    public bool IsUnjudged => ReferenceEquals(Current, Volatile.Read(ref _unjudged));

    /// <summary>
    /// Shows the state present at the start. Does not wait for the gate, whose holder may be waiting for the start: reads see the state at
    /// once, and listeners are notified when the gate is free.
    /// </summary>
    private void Adopt(RippleRelease release, bool isUnjudged = false)
    {
        long startedAt = _scheduler.Clock.GetTimestamp();
        if (release.Release == 0 || !IsNews(release, Current))
        {
            return;
        }

        if (_table.TrySpread(release, out IReadOnlyList<string> errors) is not { } adopted)
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
                RaiseReload([]);
            }
            else
            {
                Tell(adopted, [], startedAt);
            }
        });
    }

    /// <summary>Shows nothing any more, if what is shown is this: it was not accepted.</summary>
    private void Withdraw(FlatConfiguration shown)
    {
        if (ReferenceEquals(Interlocked.CompareExchange(ref _current, FlatConfiguration.Empty, shown), shown))
        {
            Volatile.Write(ref _isWithdrawn, true);
            TellWhenFree(FlatConfiguration.Empty, () => RaiseReload([]));
        }
    }

    /// <summary>Shows nothing any more if what is shown was never judged, and something is rejected now.</summary>
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
