using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Brings one node up to date, one application at a time: release by release while it is only a little behind and on this chain, else by a
/// snapshot of the newest state. Releases still kept for streams are sent from there; others are read from the store, in pages within the
/// host's budget. Sends as the connection accepts data. Core thread.
/// </summary>
/// <param name="context">The host's shared services.</param>
/// <param name="counters">The host's counters.</param>
/// <param name="memory">The budget of what is read.</param>
/// <param name="wake">Called when there is something to send.</param>
/// <param name="onForked">Called instead of sending anything when the node has another release of this generation than this host has of
/// that number.</param>
internal sealed class CatchUpFeed(
    HostContext context, GmsCounters counters, TransientBudget memory, Action wake, Action<ApplicationPrimary> onForked) : IBulkFeed
{
    /// <summary>
    /// The target size of one store read: two maximum link frames, so that a page is sent soon. A single release may be larger.
    /// </summary>
    private const int PageBytes = 2 * WireLimits.ControlBytesMax;

    private readonly Queue<CatchUpJob> _jobs = [];
    private readonly SortedSet<uint> _waiting = [];
    private readonly Queue<byte[]> _page = [];
    private readonly CommittedIds _ids = new(context, memory);
    // By topic: what was brought to the newest release, and goes on with the next.
    private readonly SortedDictionary<uint, CatchUpJob> _followed = [];
    private CatchUpJob? _current;
    private SnapshotFrames? _snapshot;
    private long _pageBytes;
    private bool _isReading;
    private bool _isClosed;

    /// <summary>Whether the node takes releases whose values travel in short forms.</summary>
    public bool KnowsShortForms { get; set; }

    /// <summary>
    /// Whether the node is brought forward at each commit, from where it was brought before. What it asked for says where that begins.
    /// </summary>
    public bool IsFollowing
    {
        get;
        set
        {
            field = value;
            if (!value)
            {
                _followed.Clear();
            }
        }
    }

    /// <summary>An application committed releases: goes on where the last catch-up of it ended, if that is followed.</summary>
    public void OnCommitted(ApplicationPrimary primary)
    {
        if (_followed.Remove(primary.Topic, out CatchUpJob? job))
        {
            Enqueue(job);
        }
    }

    /// <summary>
    /// Requests a catch-up of an application from the node's state; ignored while one for the same application is in progress.
    /// </summary>
    public void Request(ApplicationPrimary primary, uint generation, ulong release, Digest160 id)
    {
        if ((_current is { } current && ReferenceEquals(current.Primary, primary)) || _waiting.Contains(primary.Topic))
        {
            return;
        }

        _followed.Remove(primary.Topic);
        Enqueue(new CatchUpJob(primary, generation, release, id));
    }

    public bool Pump(ILink link)
    {
        while (!_isReading)
        {
            if (_current is null)
            {
                if (!_jobs.TryDequeue(out _current))
                {
                    return true;
                }

                _waiting.Remove(_current.Primary.Topic);
            }

            if (!Send(link, _current))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Called when the connection is gone.</summary>
    public void Close()
    {
        _isClosed = true;
        _page.Clear();
        ReturnPage();
    }

    private void Enqueue(CatchUpJob job)
    {
        _waiting.Add(job.Primary.Topic);
        _jobs.Enqueue(job);
        wake();
    }

    /// <summary>Sends the pending data of the job and decides its next step; false when the link is full.</summary>
    private bool Send(ILink link, CatchUpJob job)
    {
        while (_page.TryPeek(out byte[]? message))
        {
            if (!link.TrySend(new CatchUpRelease(job.Primary.Topic, message)))
            {
                return false;
            }

            _page.Dequeue();
        }

        ReturnPage();
        if (_snapshot is { } snapshot)
        {
            if (!snapshot.Send(link))
            {
                return false;
            }

            _snapshot = null;
        }

        return Continue(link, job);
    }

    private bool Continue(ILink link, CatchUpJob job)
    {
        ApplicationPrimary primary = job.Primary;
        ReleaseState committed = primary.Committed;
        if (job.Release == committed.Release && job.Id == committed.Id)
        {
            if (!link.TrySend(new CatchUpEnd(primary.Topic, committed.Generation, committed.Release)))
            {
                return false;
            }

            _current = null;
            if (IsFollowing)
            {
                job.IsOnChain = true;
                _followed[primary.Topic] = job;
            }

            return true;
        }

        // What is kept no more has lost its values, also where the release itself is still here.
        bool isNear = job.Release < committed.Release
            && committed.Release - job.Release <= (ulong)context.Options.CatchUpReleasesMax
            && job.Release + 1 >= primary.HistoryFrom;
        if (!isNear || job.MustSnapshot)
        {
            if (job.MustCompare)
            {
                Compare(job);
            }
            else
            {
                BeginSnapshot(job);
            }

            return true;
        }

        return primary.Recent.Find(job.Release + 1) is { } recent && recent.MessageFor(KnowsShortForms) is { } message
            ? SendRecent(link, job, recent, message)
            : ReadPage(job);
    }

    /// <summary>Sends a release that is still kept for streams: encoded and held once for all.</summary>
    private bool SendRecent(ILink link, CatchUpJob job, RecentRelease recent, byte[] message)
    {
        if (recent.PreviousId != job.Id)
        {
            OnOtherChain(job);
            return true;
        }

        if (!link.TrySend(new CatchUpRelease(job.Primary.Topic, message)))
        {
            return false;
        }

        counters.CatchUps += job.IsOnChain ? 0 : 1;
        job.MoveTo(recent.Generation, job.Release + 1, recent.Id);
        return true;
    }

    /// <summary>Before a snapshot replaces a release of this generation, its id is compared with this host's own.</summary>
    private void Compare(CatchUpJob job)
    {
        if (job.Release < job.Primary.HistoryFrom)
        {
            // Nobody knows any more what was there.
            job.IsOnChain = true;
            return;
        }

        bool isCalling = true;
        _isReading = true;
        _ids.TryFind(job.Primary, job.Release, id =>
        {
            _isReading = false;
            if (id is null || _isClosed)
            {
                // The store is busy: the node will ask again.
                _current = null;
            }
            else if (id != job.Id)
            {
                OnOtherChain(job);
            }
            else
            {
                job.IsOnChain = true;
            }

            if (!isCalling)
            {
                wake();
            }
        });
        isCalling = false;
    }

    /// <summary>The node's release is not this host's: of an earlier generation it ended there, of this one it is a fork.</summary>
    private void OnOtherChain(CatchUpJob job)
    {
        if (!job.MustCompare)
        {
            job.MustSnapshot = true;
            return;
        }

        _current = null;
        onForked(job.Primary);
    }

    private bool ReadPage(CatchUpJob job)
    {
        _isReading = true;
        memory.Take(TransientBudget.ReadBytesMax, () => Read(job));
        return true;
    }

    private void Read(CatchUpJob job)
    {
        // Starts at the release the node holds, so that its id is compared with this chain before anything is sent on top of it.
        ulong from = job.IsOnChain || job.Release == 0 ? job.Release + 1 : job.Release;
        bool isTaken = !_isClosed
            && context.Store.ReadReleases(
                job.Primary.Topic, from, PageBytes, context.OnCore<ReadResult<IReadOnlyList<ReleaseRecord>>>(result =>
                {
                    if (result.Status == StoreStatus.Done && !_isClosed)
                    {
                        Take(job, from, result.Value!);
                    }
                    else
                    {
                        _current = null;
                    }

                    EndRead();
                }));
        if (!isTaken)
        {
            // The store is busy: the node will ask again.
            _current = null;
            EndRead();
        }
    }

    private void EndRead()
    {
        _isReading = false;
        _pageBytes = _page.Sum(m => (long)m.Length);
        memory.Return(TransientBudget.ReadBytesMax - _pageBytes);
        wake();
    }

    private void ReturnPage()
    {
        if (_pageBytes > 0)
        {
            long bytes = _pageBytes;
            _pageBytes = 0;
            memory.Return(bytes);
        }
    }

    private void Take(CatchUpJob job, ulong from, IReadOnlyList<ReleaseRecord> records)
    {
        if (records.Count == 0 || records[0].Release != from)
        {
            // Kept no more.
            job.MustSnapshot = true;
            return;
        }

        counters.CatchUps++;
        foreach (ReleaseRecord record in records)
        {
            if (record.Release > job.Primary.Committed.Release)
            {
                // Stored but not yet committed: it will be delivered by the stream.
                break;
            }

            if (!ReleaseHeader.TryDecode(record.Header.Span, out ReleaseHeader? header))
            {
                job.MustSnapshot = true;
                return;
            }

            if (record.Release == job.Release && !job.IsOnChain)
            {
                if (header.Id != job.Id || header.Generation != job.Generation)
                {
                    OnOtherChain(job);
                    return;
                }

                job.IsOnChain = true;
                continue;
            }

            job.MoveTo(header.Generation, record.Release, header.Id);
            _page.Enqueue(Encode(header, record));
        }
    }

    private byte[] Encode(ReleaseHeader header, ReleaseRecord record)
    {
        ReleaseSignature? signature = ReleaseSignature.TryRead(record.Signature.Span);
        return ReleaseMessage.Encode(header, signature, Find, context.Options.InlineBytesMax);

        ReadOnlyMemory<byte>? Find(Digest160 digest)
        {
            foreach (StoredBody body in record.Bodies)
            {
                if (body.Digest == digest)
                {
                    return body.Bytes;
                }
            }

            return null;
        }
    }

    private void BeginSnapshot(CatchUpJob job)
    {
        ApplicationPrimary primary = job.Primary;
        if (primary.CommittedHeader is not { } header || primary.CommittedSignature is not { } signature)
        {
            _current = null;
            return;
        }

        counters.Snapshots++;
        _snapshot = new SnapshotFrames(primary.Topic, new ReleaseProof([header], signature), primary.Committed.Keys);
        job.MoveTo(header.Generation, header.Release, header.Id);
        job.MustSnapshot = false;
    }
}
