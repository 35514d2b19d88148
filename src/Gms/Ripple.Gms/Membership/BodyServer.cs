using Ripple.Engine.Control;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Gms.Placement;
using Ripple.Gms.Store;

namespace Ripple.Gms.Membership;

/// <summary>
/// Answers a connection's requests for values: small ones whole, large ones by manifest and chunks. Keeps the one value being fetched, so that its chunks cost
/// one read. Bounded requests. Core thread.
/// </summary>
internal sealed class BodyServer(GmsContext context, Action wake) : IBulkFeed
{
    private const int WholeBytesMax = 64 * 1_024;
    private const int ManifestPartBytes = 96 * 1_024;
    private const int RequestsMax = 64;
    private readonly Queue<Piece> _pieces = [];
    private Digest160 _heldDigest;
    private ReadOnlyMemory<byte> _held;
    private ContentManifest? _manifest;
    private int _reading;

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Connection, MemoryKind.Passing, "session: the value that is fetched", 1, ReleaseLimits.BodyBytesMax);

    /// <summary>Bytes of the value kept for its chunks.</summary>
    public int HeldBytes => _held.Length;

    public bool TryRequest(BodyRequest request) => TryRead(request.Topic, request.Digest, () =>
    {
        if (_held.Length <= WholeBytesMax)
        {
            _pieces.Enqueue(new Piece(request.Topic, request.Digest, PieceKind.Whole, 0, 0));
            return;
        }

        _manifest ??= ContentDigest.Describe(_held.Span);
        for (int offset = 0; offset < _manifest.EncodedBytes; offset += ManifestPartBytes)
        {
            _pieces.Enqueue(new Piece(request.Topic, request.Digest, PieceKind.Manifest, offset, Math.Min(ManifestPartBytes, _manifest.EncodedBytes - offset)));
        }
    });

    public bool TryRequest(ChunkRequest request)
    {
        if (request.Count > RequestsMax)
        {
            return false;
        }

        return TryRead(request.Topic, request.Digest, () =>
        {
            _manifest ??= ContentDigest.Describe(_held.Span);
            for (uint i = 0; i < request.Count && request.First + (ulong)i < (ulong)_manifest.Chunks.Length; i++)
            {
                _pieces.Enqueue(new Piece(request.Topic, request.Digest, PieceKind.Chunk, (int)(request.First + i), 0));
            }
        });
    }

    public bool Pump(IControlLink link)
    {
        while (_pieces.TryPeek(out Piece piece))
        {
            if (!Send(link, piece))
            {
                return false;
            }

            _pieces.Dequeue();
            if (piece.Digest == _heldDigest && IsLast(piece))
            {
                // The next one is read when it is asked for; a connection that fetched something does not hold it for good.
                _held = default;
                _heldDigest = default;
                _manifest = null;
            }
        }

        return true;
    }

    /// <summary>Nothing else waits, and nothing more is expected of the value.</summary>
    private bool IsLast(Piece piece) => _pieces.Count == 0 && (piece.Kind == PieceKind.Whole || (piece.Kind == PieceKind.Chunk && piece.Index == _manifest!.Chunks.Length - 1));

    private bool TryRead(uint topic, Digest160 digest, Action ready)
    {
        if (_pieces.Count + _reading > 2 * RequestsMax)
        {
            return false;
        }

        if (digest == _heldDigest && !_held.IsEmpty)
        {
            ready();
            wake();
            return true;
        }

        _reading++;
        bool isTaken = context.Store.ReadBody(digest, context.OnCore<ReadResult<ReadOnlyMemory<byte>?>>(result =>
        {
            _reading--;
            if (result.Status == StoreStatus.Done && result.Value is { } value)
            {
                _held = value;
                _heldDigest = digest;
                _manifest = null;
                ready();
            }
            else
            {
                _pieces.Enqueue(new Piece(topic, digest, PieceKind.Missing, 0, 0));
            }

            wake();
        }));
        if (!isTaken)
        {
            _reading--;
            _pieces.Enqueue(new Piece(topic, digest, PieceKind.Missing, 0, 0));
            wake();
        }

        return true;
    }

    private bool Send(IControlLink link, Piece piece)
    {
        if (piece.Kind == PieceKind.Missing || piece.Digest != _heldDigest)
        {
            // The peer asked for another value meanwhile; it asks again for what it still wants.
            return link.TrySend(new BodyMissing(piece.Topic, piece.Digest));
        }

        switch (piece.Kind)
        {
            case PieceKind.Whole:
                return link.TrySend(new Body(piece.Topic, piece.Digest, _held));
            case PieceKind.Manifest:
                byte[] encoded = _manifest!.Encode();
                return link.TrySend(new BodyManifest(piece.Topic, piece.Digest, (uint)encoded.Length, (uint)piece.Index, encoded.AsMemory(piece.Index, piece.Length)));
            default:
                ContentChunk chunk = _manifest!.Chunks[piece.Index];
                return link.TrySend(new Chunk(piece.Topic, piece.Digest, (uint)piece.Index, _held.Slice(chunk.Offset, chunk.Length)));
        }
    }

    private enum PieceKind
    {
        Whole,
        Manifest,
        Chunk,
        Missing,
    }

    private readonly record struct Piece(uint Topic, Digest160 Digest, PieceKind Kind, int Index, int Length);
}
