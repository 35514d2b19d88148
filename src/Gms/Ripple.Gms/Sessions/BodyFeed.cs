using Ripple.Engine.Links;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Answers a connection's requests for values in order: small values whole, large ones by manifest and chunks. Keeps a bounded number of
/// requests and no values: those are in the host's cache, read once for all connections. Core thread.
/// </summary>
internal sealed class BodyFeed(ValueCache values, Action wake) : IBulkFeed
{
    /// <summary>The size of a manifest part: fits a frame of 128 KiB with a quarter to spare for the envelope.</summary>
    private const int ManifestPartBytes = WireLimits.ControlBytesMax * 3 / 4;

    /// <summary>The most chunks per request: four times as many as a client requests at once.</summary>
    private const int ChunksMax = 64;

    /// <summary>
    /// The most pending requests per connection: enough for a release of 100 large values, all requested at once, plus some of the previous
    /// one.
    /// </summary>
    private const int RequestsMax = 128;

    private readonly Queue<Request> _requests = [];
    private ValueId _missing;
    private ValueId _held;
    private bool _isLoading;
    private bool _isClosed;

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add<Request>(MemoryScope.Connection, MemoryKind.Transient, "session: requests for values", RequestsMax);

    public bool TryRequest(BodyRequest request) => TryAdd(new Request(new(request.Topic, request.Digest), IsChunks: false, 0, 0));

    public bool TryRequest(ChunkRequest request) =>
        request.Count <= ChunksMax
            && TryAdd(
                new Request(new(request.Topic, request.Digest), IsChunks: true, request.First, request.First + (ulong)request.Count));

    public bool Pump(ILink link)
    {
        bool isAllSent = SendAll(link);
        ReleaseHeld();
        return isAllSent;
    }

    /// <summary>Called when the connection is gone.</summary>
    public void Close()
    {
        _isClosed = true;
        _requests.Clear();
        ReleaseHeld();
    }

    private bool SendAll(ILink link)
    {
        while (_requests.TryPeek(out Request request))
        {
            CachedValue? value = values.Find(request.Value);
            if (value is null && request.Value != _missing)
            {
                if (!TryLoad(request.Value))
                {
                    return true;
                }

                continue;
            }

            ulong next = request.Next;
            if (!Send(link, request, value, ref next))
            {
                // Remember the progress, so that nothing is sent twice.
                Replace(request with { Next = next });
                return false;
            }

            _missing = default;
            _requests.Dequeue();
        }

        return true;
    }

    private static bool Send(ILink link, Request request, CachedValue? value, ref ulong next)
    {
        if (value is null)
        {
            return link.TrySend(new BodyMissing(request.Value.Topic, request.Value.Digest));
        }

        if (request.IsChunks)
        {
            return SendChunks(link, request, value, ref next);
        }

        return value.Manifest is null
            ? link.TrySend(new Body(request.Value.Topic, request.Value.Digest, value.Value))
            : SendManifest(link, request, value.EncodedManifest, ref next);
    }

    private static bool SendManifest(ILink link, Request request, ReadOnlyMemory<byte> encoded, ref ulong next)
    {
        while ((int)next < encoded.Length)
        {
            int length = Math.Min(ManifestPartBytes, encoded.Length - (int)next);
            if (!link.TrySend(
                new BodyManifest(
                    request.Value.Topic,
                    request.Value.Digest,
                    (uint)encoded.Length,
                    (uint)next,
                    encoded.Slice((int)next, length))))
            {
                return false;
            }

            next += (ulong)length;
        }

        return true;
    }

    private static bool SendChunks(ILink link, Request request, CachedValue value, ref ulong next)
    {
        // A value below the manifest size is small enough to be chunked here.
        ContentManifest manifest = value.Manifest ?? ContentDigest.Describe(value.Value.Span);
        for (; next < Math.Min(request.Until, (ulong)manifest.Chunks.Length); next++)
        {
            ContentChunk chunk = manifest.Chunks[(int)next];
            if (!link.TrySend(new Chunk(
                request.Value.Topic, request.Value.Digest, (uint)next, value.Value.Slice(chunk.Offset, chunk.Length))))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryAdd(Request request)
    {
        if (_requests.Count == RequestsMax)
        {
            return false;
        }

        _requests.Enqueue(request);
        wake();
        return true;
    }

    /// <summary>True if the lookup completed synchronously; else the pump resumes when it completes.</summary>
    private bool TryLoad(ValueId id)
    {
        if (_isLoading)
        {
            return false;
        }

        _isLoading = true;
        values.Load(id, isFound =>
        {
            _isLoading = false;
            _missing = isFound ? default : id;
            _held = isFound ? id : default;
            if (_isClosed)
            {
                ReleaseHeld();
            }

            wake();
        });
        return !_isLoading;
    }

    private void ReleaseHeld()
    {
        if (_held != default)
        {
            ValueId held = _held;
            _held = default;
            values.Release(held);
        }
    }

    private void Replace(Request first)
    {
        _requests.Dequeue();
        int count = _requests.Count;
        _requests.Enqueue(first);
        for (int i = 0; i < count; i++)
        {
            _requests.Enqueue(_requests.Dequeue());
        }
    }

    /// <param name="Value">The value, of the application that was asked for.</param>
    /// <param name="IsChunks">True for chunks, false for the value itself or its manifest.</param>
    /// <param name="Next">The next chunk, or the next byte of the manifest, to send.</param>
    /// <param name="Until">The chunk to stop before (exclusive).</param>
    private readonly record struct Request(ValueId Value, bool IsChunks, ulong Next, ulong Until);
}
