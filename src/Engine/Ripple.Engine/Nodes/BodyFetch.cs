using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

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

    /// <summary>It is not to be had now.</summary>
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
