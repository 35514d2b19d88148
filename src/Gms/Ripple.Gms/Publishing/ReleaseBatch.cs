using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>
/// Releases that are signed and stored together. Owned by the core until it is handed to the signer, then by the signer's thread until the
/// store has taken it, then by the core again.
/// </summary>
internal sealed class ReleaseBatch
{
    public List<WaitingPublish> Publishes { get; } = [];

    public List<ReleaseHeader> Headers { get; } = [];

    /// <summary>The state after each release, made when it was ordered: a trie over many keys takes milliseconds to make.</summary>
    public List<ReleaseState> States { get; } = [];

    public List<StoredRelease> Releases { get; } = [];

    /// <summary>For each release the short forms of its values that are being made; null for one without.</summary>
    public List<ShortFormWork?[]?> Forms { get; } = [];

    /// <summary>The values of its publishes, where short forms are made.</summary>
    public Dictionary<Digest160, ReadOnlyMemory<byte>> Values { get; } = [];

    /// <summary>The epoch that it was ordered in, which the acknowledgement of its commit carries.</summary>
    public uint SlotEpoch => Headers[^1].SlotEpoch;

    /// <summary>The signature over the newest header; the hash chain covers those before it.</summary>
    public ReleaseSignature? Signature { get; set; }

    /// <summary>How the members changed that its releases are waited for; null for not at all.</summary>
    public MembershipChange? Members { get; set; }

    /// <summary>The signature over one of its releases; null for all but the newest.</summary>
    public ReleaseSignature? SignatureOf(int index) => index == Headers.Count - 1 ? Signature : null;

    /// <summary>The transaction that stores the batch, with an audit entry for each release.</summary>
    public CommitBatch ToCommit(string application) => new()
    {
        Releases = Releases,
        Members = Members is { } members ? [members] : [],
        Audit = [.. Headers.Select(h => new AuditEntry(h.TimeUnixMicros, h.Actor, ActionOf(h.Kind), application, h.Release, h.Note))],
    };

    /// <summary>Encodes one of its releases for streams.</summary>
    /// <param name="index">Which.</param>
    /// <param name="inlineBytesMax">The most bytes of its values, in whatever form.</param>
    /// <param name="forms">The short form of each value; null for none.</param>
    /// <param name="stream">Called for each value that does not fit: whether it follows in the stream; null where none does.</param>
    public byte[] Encode(int index, int inlineBytesMax, IReadOnlyList<ShortForm?>? forms, Func<int, bool>? stream)
    {
        var bodies = new SortedDictionary<Digest160, ReadOnlyMemory<byte>>();
        foreach (StoredBody body in Releases[index].Bodies)
        {
            bodies[body.Digest] = body.Bytes;
        }

        return ReleaseMessage.Encode(
            Headers[index],
            SignatureOf(index),
            digest => bodies.TryGetValue(digest, out ReadOnlyMemory<byte> body) ? body : (ReadOnlyMemory<byte>?)null,
            inlineBytesMax,
            Publishes[index].Publish?.Input.Trace,
            forms,
            stream);
    }

    /// <summary>The short forms of the values of one of its releases that are made by now; null if there are none.</summary>
    public ShortForm?[]? MadeForms(int index)
    {
        ShortFormWork?[]? works = Forms[index];
        ShortForm?[]? made = null;
        for (int i = 0; i < works?.Length; i++)
        {
            if (works[i]?.Made is { } form)
            {
                made ??= new ShortForm?[works.Length];
                made[i] = form;
            }
        }

        return made;
    }

    private static string ActionOf(ReleaseKind kind) => kind == ReleaseKind.Creation ? "application.restore" : "release.publish";
}

/// <summary>A publish that is waiting to be ordered or being written to disk.</summary>
/// <param name="Publish">The content; null for the record that begins a generation.</param>
/// <param name="Actor">The publisher.</param>
/// <param name="Entry">Its ledger entry; null for a generation record.</param>
/// <param name="Done">Called with the outcome; null for a generation record.</param>
/// <param name="Reason">The reason that a generation begins; null for a publish.</param>
/// <param name="Generation">The generation that begins; 0 for a publish.</param>
internal sealed record WaitingPublish(
    PreparedPublish? Publish, string Actor, PublishLedger.Entry? Entry, Action<PublishAnswer>? Done, string? Reason, uint Generation = 0);
