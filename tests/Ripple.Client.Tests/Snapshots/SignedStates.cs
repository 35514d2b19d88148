using System.Text;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Tests.Snapshots;

/// <summary>States that an authority of their own really signed.</summary>
internal sealed class SignedStates : IDisposable
{
    private readonly ReleaseSigner _signer;

    public SignedStates(string application = "shop")
    {
        Application = application;
        _signer = new ReleaseSigner(Authority.IssueSigner("host"));
    }

    public string Application { get; }

    public ClusterAuthority Authority { get; } = ClusterAuthority.Create();

    public ReadOnlyMemory<byte> SignerCertificate => _signer.CertificateDer;

    public ReadOnlyMemory<byte> SignerOf(ulong signerId) =>
        signerId == _signer.SignerId ? SignerCertificate : throw new IOException("unknown signer");

    public string ConnectionString(int port = 1) =>
        $"Endpoints=127.0.0.1:{port};Authority=sha256:{Convert.ToHexStringLower(Authority.Trust.Fingerprint.Span)};Token="
            + $"{AccessTokenSecret.New().Reveal()};Application={Application}";

    /// <summary>The state at a release after others, with these values; the signature is over a later header of the same batch.</summary>
    public ApplicationState Make(ulong release, params (string Key, string Value)[] values)
    {
        KeyValuePair<string, KeyEntry>[] keys = [.. values.Select(v => Entry(v.Key, v.Value))];
        StateTrie trie = keys.Aggregate(StateTrie.Empty, (t, k) => t.Set(k.Key, k.Value));
        ReleaseHeader header = Header(release, release == 1 ? default : Digest160.Hash("before"u8, []), trie.Root);
        ReleaseHeader next = Header(release + 1, header.Id, trie.Root);
        byte[] signature = new byte[ReleaseSignature.SignatureBytes];
        ulong signer = _signer.Sign(Authority.ClusterId, next.Id.ToArray(), signature);
        return ApplicationState.TryRestore(
            new ReleaseProof([header, next], new ReleaseSignature(signer, signature)),
            keys,
            [.. values.Select(v => new KeyValuePair<string, ReadOnlyMemory<byte>>(v.Key, Encoding.UTF8.GetBytes(v.Value)))])!;
    }

    public ReplicaSnapshot Snapshot(ulong release, params (string Key, string Value)[] values)
    {
        ApplicationState state = Make(release, values);
        return new ReplicaSnapshot(state, state);
    }

    public void Dispose()
    {
        _signer.Dispose();
        Authority.Dispose();
    }

    private static KeyValuePair<string, KeyEntry> Entry(string key, string value)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(value);
        return new(key, new KeyEntry(ContentDigest.Compute(bytes), bytes.Length, KeyForm.Bytes));
    }

    private ReleaseHeader Header(ulong release, Digest160 previous, Digest160 root) => new()
    {
        Kind = ReleaseKind.Changes,
        Application = Application,
        Generation = 1,
        Release = release,
        SlotEpoch = 1,
        PreviousId = previous,
        PublishId = Guid.NewGuid(),
        Actor = "test",
        TimeUnixMicros = 1_700_000_000_000_000,
        Note = "a note",
        Changes = [KeyChange.Remove("gone")],
        StateRoot = root,
    };
}
