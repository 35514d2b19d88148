using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Fetches values by digest from the host, one at a time within one assembly budget: a small value whole, a large one by its manifest and
/// the chunks that the node does not already hold. Everything is verified before delivery. Core thread.
/// </summary>
internal sealed class BodyFetcher
{
    private const int ChunksPerRequest = 16;
    private readonly Queue<Job> _jobs = [];
    private ILink? _link;
    private Job? _current;
    private byte[]? _manifest;
    private int _manifestBytes;
    private ContentAssembly? _assembly;
    private int _nextChunk;
    private int _outstanding;
    private bool _mustSend;

    /// <summary>The number of values waiting or being fetched.</summary>
    public int PendingCount => _jobs.Count + (_current is null ? 0 : 1);

    public void Fetch(uint topic, Digest160 digest, int length, ReadOnlyMemory<byte> previous, Action<ReadOnlyMemory<byte>?> done)
    {
        _jobs.Enqueue(new Job(topic, digest, length, previous, done));
        Next();
    }

    /// <summary>Sets the connection for requests; null fails all pending fetches.</summary>
    public void SetLink(ILink? link)
    {
        _link = link;
        if (link is null)
        {
            Job? current = _current;
            _current = null;
            Clear();
            Job[] failed = current is null ? [.. _jobs] : [current, .. _jobs];
            _jobs.Clear();
            foreach (Job job in failed)
            {
                job.Done(null);
            }

            return;
        }

        Next();
    }

    public void OnWritable()
    {
        if (_mustSend)
        {
            Ask();
        }
    }

    public void OnBody(Body body)
    {
        if (_current is { } job && body.Digest == job.Digest && _assembly is null)
        {
            Finish(
                body.Bytes.Length == job.Length && ContentDigest.Compute(body.Bytes.Span) == job.Digest
                    ? body.Bytes
                    : (ReadOnlyMemory<byte>?)null);
        }
    }

    public void OnManifest(BodyManifest part)
    {
        if (_current is not { } job
            || part.Digest != job.Digest
            || _assembly is not null
            || part.TotalBytes > ContentManifest.EncodedBytesMax)
        {
            return;
        }

        _manifest ??= new byte[part.TotalBytes];
        if (part.Offset != _manifestBytes || part.TotalBytes != _manifest.Length || part.Bytes.Length > _manifest.Length - _manifestBytes)
        {
            Finish(null);
            return;
        }

        part.Bytes.Span.CopyTo(_manifest.AsSpan(_manifestBytes));
        _manifestBytes += part.Bytes.Length;
        if (_manifestBytes < _manifest.Length)
        {
            return;
        }

        if (!ContentManifest.TryRead(_manifest, out ContentManifest? manifest)
            || manifest.Digest != job.Digest
            || manifest.TotalBytes != job.Length)
        {
            Finish(null);
            return;
        }

        _assembly = new ContentAssembly(manifest, job.Previous.Span);
        Continue();
    }

    public void OnChunk(Chunk chunk)
    {
        if (_current is not { } job || chunk.Digest != job.Digest || _assembly is null || _outstanding == 0)
        {
            return;
        }

        _outstanding--;
        if (!_assembly.TryAdd((int)Math.Min(chunk.Index, int.MaxValue), chunk.Bytes.Span))
        {
            Finish(null);
            return;
        }

        Continue();
    }

    public void OnMissing(BodyMissing missing)
    {
        if (_current is { } job && missing.Digest == job.Digest)
        {
            Finish(null);
        }
    }

    private void Next()
    {
        if (_current is null && _link is not null && _jobs.TryDequeue(out _current))
        {
            Ask();
        }
    }

    private void Continue()
    {
        if (_assembly!.TryGetValue(out byte[]? value))
        {
            Finish(value);
        }
        else if (_outstanding == 0)
        {
            Ask();
        }
    }

    private void Ask()
    {
        _mustSend = false;
        if (_current is not { } job || _link is null)
        {
            return;
        }

        if (_assembly is null)
        {
            _mustSend = !_link.TrySend(new BodyRequest(job.Topic, job.Digest));
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
            Finish(null);
            return;
        }

        if (_link.TrySend(new ChunkRequest(job.Topic, job.Digest, (uint)_nextChunk, (uint)count)))
        {
            _outstanding = count;
            _nextChunk += count;
        }
        else
        {
            _mustSend = true;
        }
    }

    private void Finish(ReadOnlyMemory<byte>? value)
    {
        Job job = _current!;
        _current = null;
        Clear();
        job.Done(value);
        Next();
    }

    private void Clear()
    {
        _manifest = null;
        _manifestBytes = 0;
        _assembly = null;
        _nextChunk = 0;
        _outstanding = 0;
        _mustSend = false;
    }

    private sealed record Job(uint Topic, Digest160 Digest, int Length, ReadOnlyMemory<byte> Previous, Action<ReadOnlyMemory<byte>?> Done);
}
