using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Sessions;

/// <summary>A snapshot being sent: the shared, immutable key table of one release, and the progress.</summary>
internal sealed class SnapshotFrames(
    uint topic, ReleaseHeader header, ReleaseSignature signature, IReadOnlyDictionary<string, KeyEntry> keys)
{
    /// <summary>Keys per frame: with names of 256 bytes, digests and lengths they fit one.</summary>
    private const int KeysPerFrame = 100;

    private readonly IEnumerator<KeyValuePair<string, KeyEntry>[]> _pages = keys.Chunk(KeysPerFrame).GetEnumerator();
    private SnapshotKeys? _next;
    private bool _hasBegun;

    /// <summary>Continues sending; true when everything was sent.</summary>
    public bool Send(ILink link)
    {
        if (!_hasBegun && !link.TrySend(new SnapshotBegin(topic, header.Encode(), signature.Encode())))
        {
            return false;
        }

        _hasBegun = true;
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
