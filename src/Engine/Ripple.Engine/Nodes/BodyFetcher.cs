using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Fetches values by digest from the host, several at a time: up to 16, and no more bytes than the largest value may have. Requests for a
/// value that is under way share it. Core thread.
/// </summary>
internal sealed class BodyFetcher
{
    /// <summary>The most values under way: a round trip brings many small ones.</summary>
    public const int FetchesMax = 16;

    /// <summary>The most bytes of all values under way.</summary>
    public const int BytesMax = ReleaseLimits.BodyBytesMax;

    private readonly Queue<Job> _jobs = [];
    private readonly List<BodyFetch> _underWay = new(FetchesMax);
    private ILink? _link;
    private int _bytes;

    /// <summary>The number of requests for values that wait or are under way.</summary>
    public int PendingCount => _jobs.Count + _underWay.Sum(f => f.Waiting.Count);

    public void Fetch(uint topic, Digest160 digest, int length, ReadOnlyMemory<byte> previous, Action<FetchedValue> done)
    {
        _jobs.Enqueue(new Job(topic, digest, length, previous, done));
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

        Action<FetchedValue>[] failed = [.. _underWay.SelectMany(f => f.Waiting), .. _jobs.Select(j => j.Done)];
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

    public void OnManifest(BodyManifest part) => Take(part.Digest, (fetch, link) => fetch.OnManifest(part, link));

    public void OnChunk(Chunk chunk) => Take(chunk.Digest, (fetch, link) => fetch.OnChunk(chunk, link));

    public void OnMissing(BodyMissing missing) => Take(missing.Digest, (fetch, _) => fetch.GiveUp());

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
            BodyFetch? same = Find(job.Digest);
            bool isRoom = _underWay.Count == 0 || (_underWay.Count < FetchesMax && _bytes + job.Length <= BytesMax);
            if (same is not null ? same.Length != job.Length : !isRoom)
            {
                return;
            }

            _jobs.Dequeue();
            BodyFetch fetch = same ?? new BodyFetch(job.Topic, job.Digest, job.Length, job.Previous);
            fetch.Waiting.Add(job.Done);
            if (same is null)
            {
                _underWay.Add(fetch);
                _bytes += job.Length;
                fetch.Ask(link);
            }
        }
    }

    private sealed record Job(uint Topic, Digest160 Digest, int Length, ReadOnlyMemory<byte> Previous, Action<FetchedValue> Done);
}

/// <summary>
/// One value on its way: a small one whole, a large one by its manifest and the chunks that the node does not already hold. Everything is
/// verified before it counts. Core thread.
/// </summary>
internal sealed class BodyFetch(uint topic, Digest160 digest, int length, ReadOnlyMemory<byte> previous)
{
    private const int ChunksPerRequest = 16;
    private byte[]? _manifest;
    private int _manifestBytes;
    private ContentAssembly? _assembly;
    private int _nextChunk;
    private int _outstanding;

    public Digest160 Digest => digest;

    public int Length => length;

    /// <summary>Called with the result.</summary>
    public List<Action<FetchedValue>> Waiting { get; } = [];

    /// <summary>True when a request found no room on the connection.</summary>
    public bool MustAsk { get; private set; }

    /// <summary>What came of it; null while it is under way.</summary>
    public FetchedValue? Result { get; private set; }

    /// <summary>Asks for what comes next.</summary>
    public void Ask(ILink link)
    {
        MustAsk = false;
        if (_assembly is null)
        {
            MustAsk = !link.TrySend(new BodyRequest(topic, digest));
            return;
        }

        while (_nextChunk < _assembly.Manifest.Chunks.Length && !_assembly.IsMissing(_nextChunk))
        {
            _nextChunk++;
        }

        int count = 0;
        while (count < ChunksPerRequest && _nextChunk + count < _assembly.Manifest.Chunks.Length && _assembly.IsMissing(_nextChunk + count))
        {
            count++;
        }

        if (count == 0)
        {
            Refuse("its chunks do not make it up");
        }
        else if (link.TrySend(new ChunkRequest(topic, digest, (uint)_nextChunk, (uint)count)))
        {
            _outstanding = count;
            _nextChunk += count;
        }
        else
        {
            MustAsk = true;
        }
    }

    public void OnBody(Body body)
    {
        if (_assembly is not null)
        {
            return;
        }

        if (body.Bytes.Length == length && ContentDigest.Compute(body.Bytes.Span) == digest)
        {
            Result = new FetchedValue(body.Bytes);
        }
        else
        {
            Refuse("its bytes are not those of its digest");
        }
    }

    public void OnManifest(BodyManifest part, ILink link)
    {
        if (_assembly is not null || part.TotalBytes > ContentManifest.EncodedBytesMax)
        {
            return;
        }

        _manifest ??= new byte[part.TotalBytes];
        if (part.Offset != _manifestBytes || part.TotalBytes != _manifest.Length || part.Bytes.Length > _manifest.Length - _manifestBytes)
        {
            Refuse("the parts of its manifest do not fit together");
            return;
        }

        part.Bytes.Span.CopyTo(_manifest.AsSpan(_manifestBytes));
        _manifestBytes += part.Bytes.Length;
        if (_manifestBytes < _manifest.Length)
        {
            return;
        }

        if (!ContentManifest.TryRead(_manifest, out ContentManifest? manifest)
            || manifest.Digest != digest
            || manifest.TotalBytes != length)
        {
            Refuse("its manifest is not that of its digest");
            return;
        }

        _assembly = new ContentAssembly(manifest, previous.Span);
        Continue(link);
    }

    public void OnChunk(Chunk chunk, ILink link)
    {
        if (_assembly is null || _outstanding == 0)
        {
            return;
        }

        _outstanding--;
        if (_assembly.TryAdd((int)Math.Min(chunk.Index, int.MaxValue), chunk.Bytes.Span))
        {
            Continue(link);
        }
        else
        {
            Refuse("a chunk is not that of its manifest");
        }
    }

    /// <summary>The value is unavailable now.</summary>
    public void GiveUp() => Result = default(FetchedValue);

    private void Continue(ILink link)
    {
        if (_assembly!.TryGetValue(out byte[]? value))
        {
            Result = new FetchedValue(value);
        }
        else if (_outstanding == 0)
        {
            Ask(link);
        }
    }

    private void Refuse(string why) => Result = new FetchedValue(null, why);
}
