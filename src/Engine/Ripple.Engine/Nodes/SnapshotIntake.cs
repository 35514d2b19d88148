using System.Globalization;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// Assembles a snapshot's key table as it arrives, and passes it to the replica once its header is verified. Core thread.
/// </summary>
internal sealed class SnapshotIntake(
    ApplicationReplica replica, ISignatureVerifier verifier, Action<IntakeRefusal> onRefused, Action onTaken)
{
    /// <summary>Of releases that are committed together only the last is signed: more than a host commits together.</summary>
    private const int ChainMax = 256;

    private readonly List<ReleaseHeader> _chain = [];
    private ReleaseStateBuilder? _table;
    private ReleaseSignature? _signature;
    private ulong _before;
    private string? _wrong;

    /// <summary>The most keys of a snapshot. Default <see cref="ReleaseLimits.KeysMax"/>.</summary>
    public int KeysMax { get; init; } = ReleaseLimits.KeysMax;

    public void OnBegin(SnapshotBegin begin)
    {
        _table = new ReleaseStateBuilder();
        _wrong = null;
        _before = begin.Before;
        _chain.Clear();
        _signature = ReleaseSignature.TryRead(begin.Signature.Span);
        Add(begin.Header.Span);
    }

    public void OnHeader(SnapshotHeader next)
    {
        if (_table is not null)
        {
            Add(next.Header.Span);
        }
    }

    public void OnKeys(SnapshotKeys keys)
    {
        if (_table is not { } table)
        {
            return;
        }

        if (table.Count + keys.Keys.Count > KeysMax)
        {
            Spoil(string.Create(CultureInfo.InvariantCulture, $"a snapshot of more than {KeysMax} keys, the most an application may have"));
            return;
        }

        foreach (SnapshotKey key in keys.Keys)
        {
            if (key.Length > ReleaseLimits.BodyBytesMax
                || !Enum.IsDefined((KeyForm)key.Form)
                || !table.TryAdd(key.Key, new KeyEntry(key.Digest, (int)key.Length, (KeyForm)key.Form)))
            {
                Spoil("a snapshot with a key that is not valid, or comes twice");
                return;
            }
        }
    }

    public void OnEnd(SnapshotEnd end)
    {
        ReleaseProof? proof = _signature is { } signature && _chain.Count > 0 ? new ReleaseProof([.. _chain], signature) : null;
        ReleaseStateBuilder? table = _table;
        string wrong = _wrong ?? "a snapshot that is not complete";
        _chain.Clear();
        _signature = null;
        _table = null;
        _wrong = null;
        if (proof is null || table is null || end.KeyCount != table.Count)
        {
            onRefused(new IntakeRefusal(wrong, proof?.Header.Release ?? 0));
            return;
        }

        if (_before != 0)
        {
            replica.OfferPast(_before, proof, table);
            return;
        }

        if (proof.Chain.Length > 1)
        {
            onRefused(new IntakeRefusal("a snapshot of the newest release that is not signed itself", proof.Header.Release));
            return;
        }

        if (verifier.IsVerified(proof.Signature, proof.Header.Id))
        {
            Take(proof, table);
            return;
        }

        verifier.Verify(proof.Signature, proof.Header.Id, isValid =>
        {
            if (isValid)
            {
                Take(proof, table);
            }
            else
            {
                onRefused(new IntakeRefusal("a snapshot whose signature is not the primary's", proof.Header.Release));
            }
        });
    }

    private void Add(ReadOnlySpan<byte> encoded)
    {
        if (_signature is null || !ReleaseHeader.TryDecode(encoded, out ReleaseHeader? header))
        {
            Spoil("a snapshot whose header or signature cannot be read");
        }
        else if (_chain.Count == ChainMax)
        {
            Spoil("a snapshot whose signed header is too far from its own");
        }
        else
        {
            _chain.Add(header);
        }
    }

    /// <summary>What follows of this snapshot is passed over, and its end tells why.</summary>
    private void Spoil(string why)
    {
        _wrong = why;
        _table = null;
    }

    private void Take(ReleaseProof proof, ReleaseStateBuilder table)
    {
        if (replica.OfferSnapshot(proof, table))
        {
            onTaken();
        }
    }
}
