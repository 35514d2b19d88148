using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// One value on its way: by the stream, or asked of the host, a small one whole, a large one by its manifest and the chunks that the node
/// does not already hold. Everything is verified before it counts. Core thread.
/// </summary>
/// <param name="topic">The application.</param>
/// <param name="wanted">The value.</param>
/// <param name="assembly">What there is of it; shared with other nodes if it comes by the stream.</param>
internal sealed class BodyFetch(uint topic, WantedValue wanted, ValueAssembly assembly)
{
    private const int ChunksPerRequest = 16;
    private byte[]? _manifest;
    private int _manifestBytes;
    private int _nextChunk;
    private int _askedOf;
    private int _outstanding;
    private long _progressNs;
    private long _waitNs;
    private int _steps;

    public uint Topic => topic;

    public Digest160 Digest => wanted.Digest;

    public int Length => wanted.Length;

    /// <summary>Whether the stream brings it, or was to.</summary>
    public bool IsStreamed => wanted.IsStreamed;

    /// <summary>What there is of it.</summary>
    public ValueAssembly Assembly => assembly;

    /// <summary>Called with the result.</summary>
    public List<Action<FetchedValue>> Waiting { get; } = [];

    /// <summary>True while the stream alone is to bring it.</summary>
    public bool IsListening { get; private set; }

    /// <summary>When the stream will have brought nothing new for too long.</summary>
    public long DueNs => _progressNs + _waitNs;

    /// <summary>True when a request found no room on the connection.</summary>
    public bool MustAsk { get; private set; }

    /// <summary>What came of it; null while it is under way.</summary>
    public FetchedValue? Result { get; private set; }

    private bool IsKnown => assembly.HasManifest && !assembly.IsDoubted;

    /// <summary>Waits for the stream, until it has brought nothing new for this long.</summary>
    public void Listen(long nowNs, long waitNs)
    {
        IsListening = true;
        _waitNs = waitNs;
        _progressNs = nowNs;
        Look(nowNs);
    }

    /// <summary>Looks whether something new came, to this node or to another of its core; ends it if the value is whole by now.</summary>
    public void Look(long nowNs)
    {
        // Counted, not timed: the time is this node's own.
        _progressNs = assembly.Steps != _steps ? nowNs : _progressNs;
        _steps = assembly.Steps;
        Complete();
    }

    /// <summary>The stream brings nothing more: asks for what is missing.</summary>
    public void AskForRest(ILink link)
    {
        IsListening = false;
        // What the host left out is in the value before; another node of this core may have had none.
        assembly.Reuse(wanted.Previous.Span);
        Ask(link);
    }

    /// <summary>Asks for what comes next, unless the value is whole.</summary>
    public void Ask(ILink link)
    {
        MustAsk = false;
        Complete();
        if (Result is not null)
        {
            return;
        }

        if (!IsKnown)
        {
            _manifest = null;
            _manifestBytes = 0;
            MustAsk = !link.TrySend(new BodyRequest(topic, Digest));
            return;
        }

        // Of another manifest, everything is asked for anew.
        _nextChunk = _askedOf == assembly.Beginnings ? _nextChunk : 0;
        _askedOf = assembly.Beginnings;
        while (_nextChunk < assembly.ChunkCount && !assembly.IsMissing(_nextChunk))
        {
            _nextChunk++;
        }

        int count = 0;
        while (count < ChunksPerRequest && _nextChunk + count < assembly.ChunkCount && assembly.IsMissing(_nextChunk + count))
        {
            count++;
        }

        if (count == 0)
        {
            Refuse("its chunks do not make it up");
        }
        else if (link.TrySend(new ChunkRequest(topic, Digest, (uint)_nextChunk, (uint)count)))
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
        if (IsListening)
        {
            return;
        }

        if (body.Bytes.Length == Length && ContentDigest.Compute(body.Bytes.Span) == Digest)
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
        if (IsListening || part.TotalBytes > ContentManifest.EncodedBytesMax)
        {
            return;
        }

        if (IsKnown)
        {
            // It came by the stream, or was given to another node of this core, since it was asked for.
            Continue(link);
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

        if (!assembly.TryConfirm(_manifest))
        {
            Refuse("its manifest is not that of its digest");
            return;
        }

        Continue(link);
    }

    public void OnChunk(Chunk chunk, ILink link)
    {
        if (!assembly.HasManifest || _outstanding == 0)
        {
            return;
        }

        _outstanding--;
        if (assembly.TryAdd((int)Math.Min(chunk.Index, int.MaxValue), chunk.Bytes.Span))
        {
            Continue(link);
        }
        else if (!assembly.IsConfirmed)
        {
            // The manifest came by the stream, and is another than the host's.
            _outstanding = 0;
            Ask(link);
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
        Complete();
        if (_outstanding == 0)
        {
            Ask(link);
        }
    }

    private void Complete()
    {
        if (Result is null && assembly.Value is { } value)
        {
            Result = new FetchedValue(value);
        }
    }

    private void Refuse(string why) => Result = new FetchedValue(null, why);
}
