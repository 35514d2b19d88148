using System.Runtime.CompilerServices;
using Ripple.Client.Scheduling;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Row = Ripple.Engine.Protocol.Calls.HistoryEntry;

namespace Ripple.Client.Events;

/// <summary>
/// The watches of one client that enumerate every release. A release that arrives in order is passed on directly; those that were
/// superseded before they arrived are read from a host's history. Thread-safe.
/// </summary>
/// <param name="scheduler">Resumes callers.</param>
/// <param name="read">The releases of an application before a number, newest first.</param>
/// <param name="stopping">Canceled when the client is disposed of: watches end.</param>
internal sealed class HistoryHub(
    IClientScheduler scheduler,
    Func<string, ulong?, CancellationToken, IAsyncEnumerable<HistoryEntry>> read,
    CancellationToken stopping)
{
    /// <summary>How many releases after the last one a query covers.</summary>
    private const ulong StepReleases = 200;

    /// <summary>Maximum number of entries kept from one query.</summary>
    private const int HeldMax = 1_000;

    private readonly WatcherTable<ArrivalWatcher, ReleaseHeader?> _watchers = new();

    /// <summary>The headers that wait in the longest queue of a watch. For invariant checks, on one thread.</summary>
    public int QueuedMax => _watchers.All.Select(w => w.QueuedCount).DefaultIfEmpty().Max();

    /// <summary>Notifies the watches that a release was received completely. Core thread.</summary>
    public void OnReceived(string application, ReleaseHeader? header)
    {
        foreach (ArrivalWatcher watcher in _watchers.Of(application))
        {
            watcher.Offer(header);
        }
    }

    /// <summary>Ends all watches; watches that begin later end at once.</summary>
    public void Close() => _watchers.Close();

    /// <summary>Enumerates each release after one, in order, until the hub closes.</summary>
    /// <param name="application">The application.</param>
    /// <param name="after">The release to start after; null for the newest when the watch begins.</param>
    /// <param name="cancellationToken">Ends the watch.</param>
    public async IAsyncEnumerable<HistoryEntry> WatchAsync(
        string application, HistoryEntry? after, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var watcher = new ArrivalWatcher(scheduler);
        // A host is asked for releases that came before the watch existed.
        _watchers.Add(application, watcher, () => watcher.Offer(null));
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, stopping);
        try
        {
            HistoryEntry? last = after;
            while (true)
            {
                (bool isOpen, ReleaseHeader? header) = await watcher.NextAsync(cancellationToken).ConfigureAwait(false);
                if (!isOpen)
                {
                    yield break;
                }

                if (last is not null && header is not null && Follows(header, last))
                {
                    last = HistoryEntry.From(Row.Of(header));
                    yield return last;
                    continue;
                }

                while (last is null || header is null || IsBefore(last, header.Generation, header.Release))
                {
                    IReadOnlyCollection<HistoryEntry>? found = last is null
                        ? await RetryAsync(t => NewestAsync(application, t), either.Token).ConfigureAwait(false)
                        : await RetryAsync(t => NextAsync(application, last, t), either.Token).ConfigureAwait(false);
                    if (found is null)
                    {
                        cancellationToken.ThrowIfCancellationRequested();
                        yield break;
                    }

                    if (last is null)
                    {
                        last = found.FirstOrDefault() ?? new HistoryEntry { Release = 0 };
                        continue;
                    }

                    foreach (HistoryEntry entry in found)
                    {
                        last = entry;
                        yield return entry;
                    }

                    if (found.Count == 0)
                    {
                        break;
                    }
                }
            }
        }
        finally
        {
            _watchers.Remove(application, watcher);
        }
    }

    private static bool Follows(ReleaseHeader header, HistoryEntry last) =>
        header.Generation == last.Generation && header.Release == last.Release + 1;

    private static bool IsBefore(HistoryEntry entry, uint generation, ulong release) =>
        entry.Generation < generation || (entry.Generation == generation && entry.Release < release);

    /// <summary>Asks until a host answers; null when the watch ends.</summary>
    private static async Task<IReadOnlyCollection<HistoryEntry>?> RetryAsync(
        Func<CancellationToken, Task<IReadOnlyCollection<HistoryEntry>>> ask, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                return await ask(cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                return null;
            }
            catch (RippleException e) when (e is RippleTimeoutException || e.Code == ErrorCode.Busy)
            {
                // The call already took as long as it may: retry without a pause.
            }
        }
    }

    private async Task<IReadOnlyCollection<HistoryEntry>> NewestAsync(string application, CancellationToken cancellationToken)
    {
        await foreach (HistoryEntry entry in read(application, null, cancellationToken).ConfigureAwait(false))
        {
            return [entry];
        }

        return [];
    }

    /// <summary>
    /// The releases after the last one, oldest first; none if it is the newest. Numbers are consecutive, also across generations; after a
    /// restore, the releases that replaced the last one can have lower numbers.
    /// </summary>
    private async Task<IReadOnlyCollection<HistoryEntry>> NextAsync(
        string application, HistoryEntry last, CancellationToken cancellationToken)
    {
        // Null: the history no longer goes back that far.
        return await AfterAsync(application, last, last.Release + StepReleases + 1, cancellationToken).ConfigureAwait(false)
            ?? await AfterAsync(application, last, null, cancellationToken).ConfigureAwait(false)
            ?? [];
    }

    /// <summary>Null if there is no release before that number at all.</summary>
    private async Task<IReadOnlyCollection<HistoryEntry>?> AfterAsync(
        string application, HistoryEntry last, ulong? before, CancellationToken cancellationToken)
    {
        var found = new Queue<HistoryEntry>();
        bool isAny = false;
        await foreach (HistoryEntry entry in read(application, before, cancellationToken).ConfigureAwait(false))
        {
            isAny = true;
            if (!IsBefore(last, entry.Generation, entry.Release))
            {
                break;
            }

            found.Enqueue(entry);
            if (found.Count > HeldMax)
            {
                found.Dequeue();
            }
        }

        return isAny ? [.. found.Reverse()] : null;
    }
}

/// <summary>
/// The releases that arrived for one watch of a history, up to a limit. A null header means that releases were or may have been left out.
/// </summary>
internal sealed class ArrivalWatcher(IClientScheduler scheduler) : Watcher<ReleaseHeader?>(scheduler)
{
    /// <summary>Maximum number of queued headers. One more replaces them all by a null.</summary>
    public const int QueueMax = 64;

    /// <summary>Adds the header of a release that arrived. Any thread; never waits.</summary>
    public void Offer(ReleaseHeader? header)
    {
        lock (QueueLock)
        {
            if (IsClosed)
            {
                return;
            }

            if (QueuedCount == QueueMax)
            {
                TakeAll();
                header = null;
            }

            Enqueue(header);
        }
    }
}
