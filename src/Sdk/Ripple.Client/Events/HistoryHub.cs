using System.Runtime.CompilerServices;
using Ripple.Client.Scheduling;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Row = Ripple.Engine.Protocol.Calls.HistoryEntry;

namespace Ripple.Client.Events;

/// <summary>
/// The watches of every release of one client. What arrives in order costs nothing more; what was superseded before it arrived is read from
/// the history of a host. Thread-safe.
/// </summary>
/// <param name="scheduler">Resumes callers.</param>
/// <param name="read">The releases of an application before a number, newest first.</param>
/// <param name="stopping">Canceled when the client is disposed of: watches end.</param>
internal sealed class HistoryHub(
    IClientScheduler scheduler,
    Func<string, ulong?, CancellationToken, IAsyncEnumerable<HistoryEntry>> read,
    CancellationToken stopping)
{
    /// <summary>How far behind the last one the next are looked for, and how many are held at most.</summary>
    private const ulong StepReleases = 200;
    private const int HeldMax = 1_000;

    private readonly WatcherTable<ArrivalWatcher, ReleaseHeader?> _watchers = new();

    /// <summary>The headers that wait in the longest queue of a watch. For checkers, on one thread.</summary>
    public int QueuedMax => _watchers.All.Select(w => w.QueuedCount).DefaultIfEmpty().Max();

    /// <summary>Passes on that a release was received whole. Core thread.</summary>
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
    /// <param name="after">The last one that is not enumerated any more; null: the newest when the watch begins.</param>
    /// <param name="cancellationToken">Ends the watch.</param>
    public async IAsyncEnumerable<HistoryEntry> WatchAsync(
        string application, HistoryEntry? after, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var watcher = new ArrivalWatcher(scheduler);
        // What came before the watch was there is looked for at a host.
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
                // It took as long as a call may take: no further pause.
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
    /// The next ones after the last, oldest first; none if it is the newest. Numbers follow each other, also over the end of a generation;
    /// where a restore put others in place of the last, those lie below it.
    /// </summary>
    private async Task<IReadOnlyCollection<HistoryEntry>> NextAsync(
        string application, HistoryEntry last, CancellationToken cancellationToken)
    {
        // None at all: the history does not go back so far any more.
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
