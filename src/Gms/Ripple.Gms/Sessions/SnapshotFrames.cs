using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Sessions;

/// <summary>A snapshot being sent: the shared, immutable key table of one release, and the progress.</summary>
/// <param name="topic">The application.</param>
/// <param name="proof">Its proof; of the newest release its own header alone.</param>
/// <param name="keys">The keys.</param>
/// <param name="before">Of a past state, what was asked for; 0 for the newest.</param>
internal sealed class SnapshotFrames(uint topic, ReleaseProof proof, IReadOnlyDictionary<string, KeyEntry> keys, ulong before = 0)
{
    /// <summary>Keys per frame: with names of 256 bytes, digests and lengths they fit one.</summary>
    private const int KeysPerFrame = 100;

    private readonly IEnumerator<KeyValuePair<string, KeyEntry>[]> _pages = keys.Chunk(KeysPerFrame).GetEnumerator();
    private SnapshotKeys? _next;
    private int _headersSent;

    /// <summary>Continues sending; true when everything was sent.</summary>
    public bool Send(ILink link)
    {
        while (_headersSent < proof.Chain.Length)
        {
            byte[] header = proof.Chain[_headersSent].Encode();
            bool isSent = _headersSent == 0
                ? link.TrySend(new SnapshotBegin(topic, header, proof.Signature.Encode(), before))
                : link.TrySend(new SnapshotHeader(topic, header));
            if (!isSent)
            {
                return false;
            }

            _headersSent++;
        }

        while (_next is not null || TryNext())
        {
            if (!link.TrySend(_next!))
            {
                return false;
            }

            _next = null;
        }

        return link.TrySend(new SnapshotEnd(topic, (uint)keys.Count));
    }

    private bool TryNext()
    {
        if (!_pages.MoveNext())
        {
            return false;
        }

        _next = new SnapshotKeys(
            topic, [.. _pages.Current.Select(k => new SnapshotKey(k.Key, k.Value.Digest, (uint)k.Value.Length, (byte)k.Value.Form))]);
        return true;
    }
}
