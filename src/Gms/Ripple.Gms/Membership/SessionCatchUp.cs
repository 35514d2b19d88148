using Ripple.Engine.Control;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Gms.Placement;
using Ripple.Gms.Store;

namespace Ripple.Gms.Membership;

/// <summary>
/// Brings one node forward, one application at a time: release by release while it is little behind and on this chain, else by a snapshot of the newest state.
/// Reads pages from the store and sends as the connection takes them. Core thread.
/// </summary>
internal sealed class SessionCatchUp(GmsContext context, GmsCounters counters, Action wake) : IBulkFeed
{
    private const int PageBytes = 256 * 1_024;
    private const int KeysPerFrame = 100;
    private readonly Queue<Job> _jobs = [];
    private readonly Queue<Func<IControlLink, bool>> _frames = [];
    private Job? _current;
    private bool _isReading;

    public static void AddMemory(MemoryBudget budget) => budget.Add(MemoryScope.Connection, MemoryKind.Passing, "session: a page of releases to catch up", 1, PageBytes);

    /// <summary>Asks for an application to be brought forward from what the node holds. A job for the same application that waits is replaced.</summary>
    public void Request(ApplicationPrimary primary, uint generation, ulong release, Digest160 id)
    {
        if (_current is { } current && ReferenceEquals(current.Primary, primary))
        {
            return;
        }

        if (_jobs.Any(j => ReferenceEquals(j.Primary, primary)))
        {
            return;
        }

        _jobs.Enqueue(new Job(primary, generation, release, id));
        wake();
    }

    public bool Pump(IControlLink link)
    {
        while (true)
        {
            while (_frames.TryPeek(out Func<IControlLink, bool>? send))
            {
                if (!send(link))
                {
                    return false;
                }

                _frames.Dequeue();
            }

            if (_isReading)
            {
                return true;
            }

            if (_current is null && !_jobs.TryDequeue(out _current))
            {
                return true;
            }

            Continue(_current);
        }
    }

    private void Continue(Job job)
    {
        ApplicationPrimary primary = job.Primary;
        ReleaseState committed = primary.Committed;
        if (job.Release == committed.Release && job.Id == committed.Id)
        {
            _current = null;
            uint topic = primary.Topic;
            _frames.Enqueue(link => link.TrySend(new CatchUpEnd(topic, committed.Generation, committed.Release)));
            return;
        }

        bool isNear = job.Release < committed.Release && committed.Release - job.Release <= (ulong)context.Options.CatchUpReleasesMax;
        if (isNear && !job.MustSnapshot)
        {
            ReadReleases(job);
        }
        else
        {
            Snapshot(job);
        }
    }

    private void ReadReleases(Job job)
    {
        _isReading = true;
        // From the release the node holds, so that its id is compared with this chain's before anything is sent on top of it.
        ulong from = job.IsOnChain || job.Release == 0 ? job.Release + 1 : job.Release;
        bool isTaken = context.Store.ReadReleases(job.Primary.Topic, from, PageBytes, context.OnCore<ReadResult<IReadOnlyList<ReleaseRecord>>>(result =>
        {
            _isReading = false;
            if (result.Status == StoreStatus.Done)
            {
                Take(job, result.Value!);
            }
            else
            {
                _current = null;
            }

            wake();
        }));
        if (!isTaken)
        {
            // The store is busy: the node asks again.
            _isReading = false;
            _current = null;
        }
    }

    private void Take(Job job, IReadOnlyList<ReleaseRecord> records)
    {
        counters.CatchUps++;
        foreach (ReleaseRecord record in records)
        {
            if (record.Release > job.Primary.Committed.Release)
            {
                // In the store and not yet committed: its delivery is on the way.
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
                    job.MustSnapshot = true;
                    return;
                }

                job.IsOnChain = true;
                continue;
            }

            job.IsOnChain = true;
            job.Generation = header.Generation;
            job.Release = record.Release;
            job.Id = header.Id;
            byte[] message = Encode(header, record);
            uint topic = job.Primary.Topic;
            _frames.Enqueue(link => link.TrySend(new CatchUpRelease(topic, message)));
        }

        if (records.Count == 0)
        {
            job.MustSnapshot = true;
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

    private void Snapshot(Job job)
    {
        ApplicationPrimary primary = job.Primary;
        if (primary.CommittedHeader is not { } header || primary.CommittedSignature is not { } signature)
        {
            _current = null;
            return;
        }

        counters.Snapshots++;
        uint topic = primary.Topic;
        _frames.Enqueue(link => link.TrySend(new SnapshotBegin(topic, header.Encode(), signature.Encode())));
        foreach (KeyValuePair<string, KeyEntry>[] some in primary.Committed.Keys.Chunk(KeysPerFrame))
        {
            _frames.Enqueue(link => link.TrySend(new SnapshotKeys(topic, [.. some.Select(k => new SnapshotKey(k.Key, k.Value.Digest, (uint)k.Value.Length, (byte)k.Value.Form))])));
        }

        uint count = (uint)primary.Committed.Keys.Count;
        _frames.Enqueue(link => link.TrySend(new SnapshotEnd(topic, count)));
        job.Generation = header.Generation;
        job.Release = header.Release;
        job.Id = header.Id;
        job.IsOnChain = true;
        job.MustSnapshot = false;
    }

    private sealed class Job(ApplicationPrimary primary, uint generation, ulong release, Digest160 id)
    {
        public ApplicationPrimary Primary { get; } = primary;

        public uint Generation { get; set; } = generation;

        public ulong Release { get; set; } = release;

        public Digest160 Id { get; set; } = id;

        public bool IsOnChain { get; set; }

        public bool MustSnapshot { get; set; }
    }
}
