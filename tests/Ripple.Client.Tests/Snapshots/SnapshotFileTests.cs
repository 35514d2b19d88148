using System.Text;
using Ripple.Client.Snapshots;
using Ripple.Engine.Frontier;
using Ripple.Engine.Releases;

namespace Ripple.Client.Tests.Snapshots;

public sealed class SnapshotFileTests : IDisposable
{
    private readonly SignedStates _states = new();

    public void Dispose() => _states.Dispose();

    [Fact]
    public void What_was_written_is_read_back()
    {
        ReplicaSnapshot written = _states.Snapshot(3, ("a", "1"), ("b", ""), ("ü", new string('x', 100_000)));

        Snapshot? read = SnapshotDecoder.TryRead(Encode(written), out string error);

        Assert.Equal("", error);
        Assert.Same(read!.Applied, read.Received);
        Assert.Equal(written.Applied.Keys.Id, read.Received.Proof.Header.Id);
        Assert.Equal(written.Applied.Proof!.Signed.Id, read.Received.Proof.Signed.Id);
        Assert.True(read.Authority.Span.SequenceEqual(_states.Authority.Trust.Der.Span));
        Assert.Equal(written.Applied.Keys.Keys, read.Received.Keys);
        Assert.Equal(["1", "", new string('x', 100_000)], read.Received.Values.Values.Select(v => Encoding.UTF8.GetString(v.Span)));
    }

    [Fact]
    public void A_received_state_is_kept_beside_the_one_in_effect_and_shares_its_values()
    {
        string large = new('x', 50_000);
        ApplicationState applied = _states.Make(3, ("a", large), ("b", "old"));
        ApplicationState received = _states.Make(4, ("a", large), ("b", "new"), ("c", "3"));
        byte[] content = Encode(new ReplicaSnapshot(applied, received));

        Snapshot read = SnapshotDecoder.TryRead(content, out _)!;

        Assert.InRange(content.Length, 50_000, 60_000);
        Assert.Equal(3ul, read.Applied!.Proof.Header.Release);
        Assert.Equal(4ul, read.Received.Proof.Header.Release);
        Assert.Equal(large, Encoding.UTF8.GetString(read.Received.Values["a"].Span));
        Assert.Equal("old", Encoding.UTF8.GetString(read.Applied.Values["b"].Span));
        Assert.Equal("new", Encoding.UTF8.GetString(read.Received.Values["b"].Span));
    }

    [Fact]
    public void What_was_rejected_is_kept_with_its_reasons()
    {
        RejectionRow[] rejections = [new(7, 1, 4, "no: ü"), new(7, 1, 5, new string('x', RejectionRow.ReasonBytesMax))];
        ApplicationState received = _states.Make(5, ("a", "2"));

        Snapshot read = SnapshotDecoder.TryRead(Encode(new ReplicaSnapshot(_states.Make(3, ("a", "1")), received, rejections)), out _)!;

        Assert.Equal(rejections.Select(r => r with { Topic = 0 }), read.Rejections);
        Assert.Equal(3ul, read.Applied!.Proof.Header.Release);
        // Nothing was accepted yet.
        read = SnapshotDecoder.TryRead(Encode(new ReplicaSnapshot(ApplicationState.Empty("shop"), received, rejections)), out _)!;
        Assert.Null(read.Applied);
        Assert.Equal((5ul, 2), (read.Received.Proof.Header.Release, read.Rejections.Count));
    }

    [Fact]
    public void A_file_of_version_1_is_read()
    {
        byte[] content = Encode(new ReplicaSnapshot(_states.Make(3, ("a", "1")), _states.Make(4, ("a", "2"))));
        int count = SnapshotFormat.Magic.Length + sizeof(uint) + _states.Authority.Trust.Der.Length + 1;
        byte[] body = [.. SnapshotFormat.Magic1, .. content[SnapshotFormat.Magic.Length..count], .. content[(count + 2)..^32]];
        byte[] old = [.. body, .. System.Security.Cryptography.SHA256.HashData(body)];

        Snapshot read = SnapshotDecoder.TryRead(old, out string error)!;

        Assert.Equal("", error);
        Assert.Equal((3ul, 4ul), (read.Applied!.Proof.Header.Release, read.Received.Proof.Header.Release));
        Assert.Equal("2", Encoding.UTF8.GetString(read.Received.Values["a"].Span));
        Assert.Empty(read.Rejections);
    }

    [Fact]
    public void A_file_with_any_byte_changed_is_refused()
    {
        byte[] content = Encode(new ReplicaSnapshot(_states.Make(3, ("a", "1"), ("b", "2")), _states.Make(4, ("a", "1"))));
        Assert.NotNull(SnapshotDecoder.TryRead(content, out _));
        for (int i = 0; i < content.Length; i++)
        {
            content[i] ^= 0x41;
            Assert.Null(SnapshotDecoder.TryRead(content, out string error));
            Assert.NotEqual("", error);
            content[i] ^= 0x41;
        }
    }

    [Fact]
    public void A_changed_byte_is_refused_where_the_hash_was_made_anew()
    {
        byte[] content = Encode(_states.Snapshot(3, ("a", "1"), ("bb", "22")));
        using var folder = new TestFolder();
        int acceptedCount = 0;
        for (int i = 0; i < content.Length - 32; i++)
        {
            byte[] changed = [.. content];
            changed[i] ^= 0x01;
            System.Security.Cryptography.SHA256.HashData(changed.AsSpan(0, changed.Length - 32), changed.AsSpan(changed.Length - 32));
            Snapshot? read = SnapshotDecoder.TryRead(changed, out _);
            if (read is not null && StoreTests.TryVerify(_states, read, folder) is { } state)
            {
                // What is not covered by a signature may be unreadable, but never something else.
                Assert.Equal(3ul, state.Keys.Release);
                Assert.Equal("1", Encoding.UTF8.GetString(state.Values["a"].Span));
                acceptedCount++;
            }
        }

        Assert.Equal(0, acceptedCount);
    }

    [Fact]
    public void A_file_cut_anywhere_is_refused()
    {
        byte[] content = Encode(_states.Snapshot(3, ("a", "1"), ("b", "2")));
        for (int length = 0; length < content.Length; length++)
        {
            Assert.Null(SnapshotDecoder.TryRead(content.AsMemory(0, length), out string error));
            Assert.NotEqual("", error);
        }
    }

    private byte[] Encode(ReplicaSnapshot snapshot)
    {
        var stream = new MemoryStream();
        SnapshotEncoder.Write(stream, snapshot, _states.Authority.Trust.Der, _states.SignerOf);
        return stream.ToArray();
    }
}
