using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Gets values by digest, several at a time: up to 16, and no more bytes than the largest value may have. Those that follow in the stream
/// are waited for, and what does not come is asked of the host, as are all others. Requests for a value that is under way share it. Core
/// thread.
/// </summary>
internal sealed class BodyFetcher : IDisposable
{
    /// <summary>The most values under way: a round trip brings many small ones.</summary>
    public const int FetchesMax = 16;

    /// <summary>The most bytes of all values under way.</summary>
    public const int BytesMax = ReleaseLimits.BodyBytesMax;

    /// <summary>
    /// How long the stream may bring nothing new of a value before the host is asked; up to half of it more by chance, so that not all
    /// nodes ask at once.
    /// </summary>
    internal const long StreamWaitNs = 1_000_000_000;

    /// <summary>The same where it is known that parts are lacking which the stream has brought already.</summary>
    internal const long ShortWaitNs = 60_000_000;

    private readonly CoreLoop _core;
    private readonly ValueAssemblies _assemblies;
    private readonly NodeCounters _counters;
    private readonly Queue<Job> _jobs = [];
    private readonly List<BodyFetch> _underWay = new(FetchesMax);
    private readonly Alarm _look;
    private ILink? _link;
    private int _bytes;

    /// <param name="core">The core all calls are made on.</param>
    /// <param name="assemblies">What the stream brings to the nodes of this core.</param>
    /// <param name="counters">The node's counts.</param>
    public BodyFetcher(CoreLoop core, ValueAssemblies assemblies, NodeCounters counters)
    {
        _core = core;
        _assemblies = assemblies;
        _counters = counters;
        _look = new Alarm(OnLook);
    }

    /// <summary>The number of requests for values that wait or are under way.</summary>
    public int PendingCount => _jobs.Count + _underWay.Sum(f => f.Waiting.Count);

    public void Fetch(uint topic, in WantedValue wanted, Action<FetchedValue> done)
    {
        _jobs.Enqueue(new Job(topic, wanted, done));
        Next();
    }

    /// <summary>Sets the connection for requests; null fails all pending fetches.</summary>
    public void SetLink(ILink? link)
    {
        _link = link;
        if (link is not null)
        {
            Next();
            return;
        }

        _core.Alarms.Cancel(_look);
        Action<FetchedValue>[] failed = [.. _underWay.SelectMany(f => f.Waiting), .. _jobs.Select(j => j.Done)];
        foreach (BodyFetch fetch in _underWay)
        {
            LeaveAssembly(fetch);
        }

        _underWay.Clear();
        _jobs.Clear();
        _bytes = 0;
        foreach (Action<FetchedValue> done in failed)
        {
            done(default);
        }
    }

    public void OnWritable()
    {
        // Asking may end one of them.
        foreach (BodyFetch fetch in _underWay.Where(f => f.MustAsk).ToArray())
        {
            if (_link is { } link)
            {
                fetch.Ask(link);
                EndIfDone(fetch);
            }
        }
    }

    public void OnBody(Body body) => Take(body.Digest, (fetch, _) => fetch.OnBody(body));

    public void OnManifest(BodyManifest part) => Take(part.Digest, (fetch, link) =>
    {
        fetch.OnManifest(part, link);
        // The manifest was the first part to come, and so the first to be given up.
        _assemblies.TakeEarly(fetch.Topic, fetch.Assembly);
    });

    public void OnChunk(Chunk chunk) => Take(chunk.Digest, (fetch, link) => fetch.OnChunk(chunk, link));

    public void OnMissing(BodyMissing missing) => Take(missing.Digest, (fetch, _) => fetch.GiveUp());

    /// <summary>A part of a value came by the stream; false when it is not what the digest of the value says.</summary>
    public bool OnPart(uint topic, in ValuePart part)
    {
        bool isTrue = _assemblies.Take(topic, part);
        if (Find(part.Digest) is { } fetch)
        {
            // Another node of this core may have brought the rest.
            fetch.Look(_core.NowNs);
            EndIfDone(fetch);
        }

        return isTrue;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _core.Alarms.Cancel(_look);
        _underWay.ForEach(LeaveAssembly);
        _underWay.Clear();
        _jobs.Clear();
    }

    private void Take(Digest160 digest, Action<BodyFetch, ILink> handle)
    {
        if (_link is { } link && Find(digest) is { } fetch)
        {
            handle(fetch, link);
            EndIfDone(fetch);
        }
    }

    private BodyFetch? Find(Digest160 digest) => _underWay.Find(f => f.Digest == digest);

    private void EndIfDone(BodyFetch fetch)
    {
        if (fetch.Result is not { } result || !_underWay.Remove(fetch))
        {
            return;
        }

        _bytes -= fetch.Length;
        LeaveAssembly(fetch);
        _counters.ValuesStreamed += fetch.IsListening && result.Bytes is not null ? 1 : 0;
        foreach (Action<FetchedValue> done in fetch.Waiting)
        {
            done(result);
        }

        Next();
    }

    private void Next()
    {
        while (_link is { } link && _jobs.TryPeek(out Job? job))
        {
            BodyFetch? same = Find(job.Wanted.Digest);
            bool isRoom = _underWay.Count == 0 || (_underWay.Count < FetchesMax && _bytes + job.Wanted.Length <= BytesMax);
            if (same is not null ? same.Length != job.Wanted.Length : !isRoom)
            {
                return;
            }

            _jobs.Dequeue();
            if (same is not null)
            {
                same.Waiting.Add(job.Done);
                continue;
            }

            Begin(job, link);
        }
    }

    private void Begin(Job job, ILink link)
    {
        bool isStreamed = job.Wanted.IsStreamed;
        ValueAssembly assembly = isStreamed ? _assemblies.Join(job.Topic, job.Wanted) : new ValueAssembly(job.Wanted);
        var fetch = new BodyFetch(job.Topic, job.Wanted, assembly);
        fetch.Waiting.Add(job.Done);
        _underWay.Add(fetch);
        _bytes += fetch.Length;
        if (!isStreamed)
        {
            fetch.Ask(link);
            return;
        }

        long waitNs = assembly.IsShort ? ShortWaitNs : StreamWaitNs;
        fetch.Listen(_core.NowNs, waitNs + _core.Random.NextInt64(waitNs / 2));
        if (fetch.Result is null)
        {
            _core.Alarms.ScheduleNoLater(_look, fetch.DueNs);
        }

        EndIfDone(fetch);
    }

    private void OnLook()
    {
        foreach (BodyFetch fetch in _underWay.Where(f => f.IsListening).ToArray())
        {
            fetch.Look(_core.NowNs);
            if (fetch.Result is null && fetch.DueNs <= _core.NowNs && _link is { } link)
            {
                _counters.ValuesAsked++;
                fetch.AskForRest(link);
            }

            EndIfDone(fetch);
        }

        foreach (BodyFetch fetch in _underWay.Where(f => f.IsListening))
        {
            _core.Alarms.ScheduleNoLater(_look, fetch.DueNs);
        }
    }

    private void LeaveAssembly(BodyFetch fetch)
    {
        if (fetch.IsStreamed)
        {
            _assemblies.Leave(fetch.Topic, fetch.Assembly);
        }
    }

    private sealed record Job(uint Topic, WantedValue Wanted, Action<FetchedValue> Done);
}
