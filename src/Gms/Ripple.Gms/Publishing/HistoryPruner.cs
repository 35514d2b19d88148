using System.Globalization;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>
/// Shortens the histories of applications to what the options keep: one step of one application at a time, applications in turn, so that
/// it never holds up the disk for long. Never touches what waits and nodes need, whatever the options say. Core thread.
/// </summary>
/// <param name="context">The host's shared services.</param>
/// <param name="applications">The applications.</param>
/// <param name="takeMemory">Calls back when there is memory for an answer of the store.</param>
/// <param name="returnMemory">Gives it back.</param>
/// <param name="counters">The host's counters.</param>
/// <param name="events">The host's events.</param>
internal sealed class HistoryPruner(
    HostContext context,
    ApplicationTable applications,
    Action<Action> takeMemory,
    Action returnMemory,
    GmsCounters counters,
    GmsEvents events)
{
    /// <summary>What failed, is needed or is too young is looked at again after this, and what is very young after an hour.</summary>
    private const long LookNs = 60_000_000_000;
    private const long HourNs = 3_600_000_000_000;
    private const long NsPerMicro = 1_000;
    private const int NarrowBy = 8;

    private readonly SortedDictionary<uint, long> _failedNs = [];
    private readonly SortedDictionary<uint, long> _youngNs = [];
    private readonly SortedDictionary<uint, long> _tellNs = [];
    private string _last = "";
    private bool _isBusy;

    /// <summary>Begins the next step, if one is due and none is under way. Called a few times a second.</summary>
    public void OnTick()
    {
        if (_isBusy || context.Store.Trouble is not null)
        {
            return;
        }

        ApplicationPrimary? next = applications.All.FirstOrDefault(a => string.CompareOrdinal(a.Name, _last) > 0 && IsDue(a))
            ?? applications.All.FirstOrDefault(IsDue);
        if (next is null)
        {
            return;
        }

        _isBusy = true;
        _last = next.Name;
        takeMemory(() => Read(next, context.Options.Limits.PrunedReleasesMax));
    }

    private static List<ReleaseHeader> Decode(IReadOnlyList<ReleaseRecord> records)
    {
        var headers = new List<ReleaseHeader>(records.Count);
        foreach (ReleaseRecord record in records.Reverse())
        {
            if (!ReleaseHeader.TryDecode(record.Header.Span, out ReleaseHeader? header))
            {
                return [];
            }

            headers.Add(header);
        }

        return headers;
    }

    /// <summary>The first of so many newest releases.</summary>
    private static ulong FirstOf(ApplicationPrimary primary, int count) =>
        primary.Committed.Release > (ulong)count ? primary.Committed.Release - (ulong)count + 1 : 1;

    /// <summary>The first release that waits and nodes need: it and those after it stay.</summary>
    private ulong FirstNeeded(ApplicationPrimary primary) => FirstOf(primary, context.Options.Limits.CommitsKept);

    private ulong FirstByCount(ApplicationPrimary primary) =>
        context.Options.HistoryReleasesMax is { } max ? Math.Min(FirstOf(primary, max), FirstNeeded(primary)) : 1;

    private bool IsDue(ApplicationPrimary primary)
    {
        if (context.Core.NowNs < _failedNs.GetValueOrDefault(primary.Topic))
        {
            return false;
        }

        return FirstByCount(primary) >= primary.HistoryFrom + (ulong)context.Options.Limits.PrunedReleasesMax
            || (context.Options.HistoryAgeNsMax is not null
                && FirstNeeded(primary) > primary.HistoryFrom
                && context.Core.NowNs >= _youngNs.GetValueOrDefault(primary.Topic));
    }

    /// <summary>
    /// Reads the headers behind the oldest one; fewer if so many are too large for one answer, which begins with the newest.
    /// </summary>
    private void Read(ApplicationPrimary primary, int count)
    {
        bool isTaken = context.Store.ReadHistory(primary.Topic, primary.HistoryFrom + (ulong)count + 1, count, result =>
        {
            List<ReleaseHeader> headers = result.Status == StoreStatus.Done ? Decode(result.Value!) : [];
            context.Completions.Complete(() => OnRead(primary, count, headers));
        });
        if (!isTaken)
        {
            Fail(primary);
        }
    }

    private void OnRead(ApplicationPrimary primary, int count, List<ReleaseHeader> headers)
    {
        ulong from = primary.HistoryFrom;
        if (headers.Count == 0 || headers[0].Release != from + 1)
        {
            if (headers.Count > 0 && count > 1)
            {
                Read(primary, Math.Max(1, count / NarrowBy));
            }
            else
            {
                Fail(primary);
            }

            return;
        }

        ulong keptFrom = Choose(primary, headers, out long waitNs);
        _youngNs[primary.Topic] = context.Core.NowNs + waitNs;
        if (keptFrom == from)
        {
            End();
            return;
        }

        primary.Prune(keptFrom, result =>
        {
            if (result is not { IsDone: true })
            {
                Fail(primary);
                return;
            }

            counters.Pruned += (long)(keptFrom - from);
            Tell(primary);
            End();
            // As long as there is more, at the pace of the disk.
            OnTick();
        });
    }

    /// <summary>The oldest release to keep after this step, and how long to wait for the next.</summary>
    private ulong Choose(ApplicationPrimary primary, List<ReleaseHeader> headers, out long waitNs)
    {
        waitNs = 0;
        ulong chosen = primary.HistoryFrom;
        ulong byCount = FirstByCount(primary);
        ulong needed = FirstNeeded(primary);
        HostLimits limits = context.Options.Limits;
        long changes = 0;
        long bytes = 0;
        foreach (ReleaseHeader header in headers)
        {
            changes += header.Changes.Length;
            bytes += header.BodyBytes;
            if (chosen > primary.HistoryFrom && (changes > limits.PrunedChangesMax || bytes > limits.PrunedBytesMax))
            {
                break;
            }

            // By age, one goes that another took the place of long ago: the state of so long ago stays.
            long youngNs = header.Release > byCount ? YoungNs(header) : 0;
            if (header.Release != chosen + 1 || header.Release > needed || youngNs > 0)
            {
                waitNs = Math.Max(youngNs, LookNs);
                break;
            }

            chosen = header.Release;
        }

        return chosen;
    }

    /// <summary>For how long a release still keeps the one before it, by its age; an hour for more.</summary>
    private long YoungNs(ReleaseHeader header)
    {
        if (context.Options.HistoryAgeNsMax is not { } ageNs)
        {
            return LookNs;
        }

        long youngMicros = (ageNs / NsPerMicro) - (context.Clock.UnixMicros - header.TimeUnixMicros);
        return Math.Min(youngMicros, HourNs / NsPerMicro) * NsPerMicro;
    }

    private void Tell(ApplicationPrimary primary)
    {
        long nowNs = context.Core.NowNs;
        if (nowNs >= _tellNs.GetValueOrDefault(primary.Topic))
        {
            _tellNs[primary.Topic] = nowNs + HourNs;
            string oldest = string.Create(CultureInfo.InvariantCulture, $"the oldest release is {primary.HistoryFrom} for now.");
            events.Post(GmsEventKind.HistoryPruned, primary.Name, oldest);
        }
    }

    private void Fail(ApplicationPrimary primary)
    {
        _failedNs[primary.Topic] = context.Core.NowNs + LookNs;
        End();
    }

    private void End()
    {
        returnMemory();
        _isBusy = false;
    }
}
