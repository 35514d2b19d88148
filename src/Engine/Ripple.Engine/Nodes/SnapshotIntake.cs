using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Assembles a snapshot's key table as it arrives, and passes it to the replica once its header is verified. Core thread.
/// </summary>
internal sealed class SnapshotIntake(ApplicationReplica replica, ISignatureVerifier verifier, Action<string> onForged, Action onTaken)
{
    private const int KeysMax = 200_000;
    private readonly List<KeyValuePair<string, KeyEntry>> _keys = [];
    private ReleaseProof? _proof;

    public void OnBegin(SnapshotBegin begin)
    {
        _keys.Clear();
        _proof = ReleaseHeader.TryDecode(begin.Header.Span, out ReleaseHeader? header)
            && ReleaseSignature.TryRead(begin.Signature.Span) is { } signature
            ? new ReleaseProof([header], signature)
            : null;
    }

    public void OnKeys(SnapshotKeys keys)
    {
        if (_proof is null || _keys.Count + keys.Keys.Count > KeysMax)
        {
            _proof = null;
            return;
        }

        foreach (SnapshotKey key in keys.Keys)
        {
            if (key.Length > ReleaseLimits.BodyBytesMax || !Enum.IsDefined((KeyForm)key.Form))
            {
                _proof = null;
                return;
            }

            _keys.Add(new(key.Key, new KeyEntry(key.Digest, (int)key.Length, (KeyForm)key.Form)));
        }
    }

    public void OnEnd(SnapshotEnd end)
    {
        if (_proof is not { } proof || end.KeyCount != _keys.Count)
        {
            onForged("a snapshot that is not complete");
            return;
        }

        KeyValuePair<string, KeyEntry>[] keys = [.. _keys];
        _keys.Clear();
        _proof = null;
        if (verifier.IsVerified(proof.Header.Id))
        {
            Take(proof, keys);
            return;
        }

        verifier.Verify(proof.Signature, proof.Header.Id, isValid =>
        {
            if (isValid)
            {
                Take(proof, keys);
            }
            else
            {
                onForged("a snapshot whose signature is not the primary's");
            }
        });
    }

    private void Take(ReleaseProof proof, KeyValuePair<string, KeyEntry>[] keys)
    {
        if (replica.OfferSnapshot(proof, keys))
        {
            onTaken();
        }
    }
}
