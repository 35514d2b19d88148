using Microsoft.Extensions.Time.Testing;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Server;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

public sealed class SignerAndPreparerTests
{
    [Fact]
    public async Task Preparer_says_no_when_too_much_waits_and_finishes_what_it_took()
    {
        using var held = new ManualResetEventSlim();
        int answered = 0;
        int taken = 0;
        var preparer = new PublishPreparer(workerCount: 1, waitingMax: 4);
        // One that holds the worker, four that wait, and no more.
        while (taken < 100 && preparer.TryPrepare(Input("a.txt"), (_, _) =>
        {
            held.Wait(HostHarness.Cancel);
            Interlocked.Increment(ref answered);
        }))
        {
            taken++;
        }

        Assert.InRange(taken, 4, 5);
        held.Set();
        await preparer.DisposeAsync();
        Assert.Equal(taken, answered);
        Assert.False(preparer.TryPrepare(Input("a.txt"), (_, _) => { }));
    }

    [Fact]
    public async Task Preparer_answers_with_either_the_prepared_or_the_reason()
    {
        await using var preparer = new PublishPreparer();
        var good = new TaskCompletionSource<(PreparedPublish?, Refusal?)>();
        var bad = new TaskCompletionSource<(PreparedPublish?, Refusal?)>();
        Assert.True(preparer.TryPrepare(Input("a.txt"), (prepared, refusal) => good.SetResult((prepared, refusal))));
        Assert.True(preparer.TryPrepare(Input("a.json"), (prepared, refusal) => bad.SetResult((prepared, refusal))));
        (PreparedPublish? prepared, Refusal? none) = await good.Task.WaitAsync(HostHarness.Cancel);
        Assert.True(prepared is not null && none is null);
        (PreparedPublish? nothing, Refusal? refusal) = await bad.Task.WaitAsync(HostHarness.Cancel);
        Assert.Null(nothing);
        Assert.Equal(ErrorCode.InvalidJson, refusal!.Code);
    }

    [Fact]
    public async Task Signer_verifies_its_own_and_earlier_signatures_and_no_others()
    {
        using var authority = ClusterAuthority.Create();
        using var stranger = ClusterAuthority.Create();
        Digest160 id = Digest160.Hash("test"u8, "one"u8);
        Digest160 otherId = Digest160.Hash("test"u8, "two"u8);
        var earlier = Door(authority, authority);
        ReleaseSignature old = await SignAsync(earlier, id);
        await using QueuedReleaseSigner now = Door(authority, authority, earlier.Certificate);
        await using QueuedReleaseSigner another = Door(stranger, stranger);
        await earlier.DisposeAsync();
        ReleaseSignature own = await SignAsync(now, id);
        Assert.True(now.Verify(own, id));
        Assert.True(now.Verify(old, id));
        Assert.False(now.Verify(own, otherId));
        Assert.False(now.Verify(await SignAsync(another, id), id));
        Assert.Equal(2, now.CertificatesFor([]).Count);
        await using QueuedReleaseSigner deceived = Door(authority, authority, another.Certificate);
        Assert.False(deceived.Verify(await SignAsync(another, id), id));
        Assert.Single(deceived.CertificatesFor([]));
        Assert.False(deceived.TryAddSigner(another.Certificate));
    }

    [Fact]
    public async Task A_node_is_given_the_certificates_of_what_it_is_sent_before_those_of_other_signers()
    {
        using var authority = ClusterAuthority.Create();
        var earlier = new List<QueuedReleaseSigner>();
        for (int i = 0; i < 12; i++)
        {
            earlier.Add(Door(authority, authority));
        }

        await using QueuedReleaseSigner now = Door(authority, authority, [.. earlier.Select(e => e.Certificate)]);
        IReadOnlyList<ReadOnlyMemory<byte>> given = now.CertificatesFor([earlier[11].SignerId, earlier[9].SignerId]);
        Assert.Equal(8, given.Count);
        QueuedReleaseSigner[] expected = [now, earlier[9], earlier[11], .. earlier.Take(5)];
        Assert.Equal(expected.Select(e => e.Certificate.ToArray()), given.Select(c => c.ToArray()));
        foreach (QueuedReleaseSigner door in earlier)
        {
            await door.DisposeAsync();
        }
    }

    [Fact]
    public async Task A_node_whose_applications_have_many_signers_is_given_all_of_them()
    {
        using var authority = ClusterAuthority.Create();
        var earlier = new List<QueuedReleaseSigner>();
        for (int i = 0; i < 12; i++)
        {
            earlier.Add(Door(authority, authority));
        }

        await using QueuedReleaseSigner now = Door(authority, authority, [.. earlier.Select(e => e.Certificate)]);
        Assert.Equal(13, now.CertificatesFor(earlier.Select(e => e.SignerId)).Count);
        foreach (QueuedReleaseSigner door in earlier)
        {
            await door.DisposeAsync();
        }
    }

    [Fact]
    public async Task The_next_key_is_told_and_verified_before_it_signs_and_the_one_before_stays_known()
    {
        using var authority = ClusterAuthority.Create();
        Digest160 id = Digest160.Hash("test"u8, "one"u8);
        await using QueuedReleaseSigner signer = Door(authority, authority);
        ReleaseSignature old = await SignAsync(signer, id);
        var next = new ReleaseSigner(authority.IssueSigner("host-1"));
        ulong nextId = next.SignerId;
        byte[] first = signer.Certificate.ToArray();

        signer.Prepare(next);
        Assert.Equal(old.SignerId, (await SignAsync(signer, id)).SignerId);
        Assert.Equal([first, next.CertificateDer.ToArray()], signer.CertificatesFor([]).Select(c => c.ToArray()));
        signer.UseNext();

        ReleaseSignature made = await SignAsync(signer, id);
        Assert.Equal(nextId, made.SignerId);
        Assert.True(signer.Verify(made, id) && signer.Verify(old, id));
        Assert.Equal([next.CertificateDer.ToArray(), first], signer.CertificatesFor([]).Select(c => c.ToArray()));
    }

    [Fact]
    public async Task A_key_whose_certificate_has_ended_signs_nothing()
    {
        using var authority = ClusterAuthority.Create();
        var failed = new TaskCompletionSource<Exception>();
        var signer = new ReleaseSigner(authority.IssueSigner("host-1"));
        await using var door = new QueuedReleaseSigner(
            signer, authority.Trust, [], failed.SetResult, new FakeTimeProvider(signer.NotAfter + TimeSpan.FromSeconds(1)));
        door.Sign(Digest160.Hash("test"u8, "one"u8), _ => Assert.Fail("It signed."));
        Assert.Contains("ended at", (await failed.Task.WaitAsync(HostHarness.Cancel)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_signature_of_a_signer_that_a_restored_host_does_not_know_is_verified_by_the_certificate_that_comes_with_it()
    {
        using var authority = ClusterAuthority.Create();
        Digest160 id = Digest160.Hash("test"u8, "one"u8);
        await using QueuedReleaseSigner lost = Door(authority, authority);
        await using QueuedReleaseSigner restored = Door(authority, authority);
        ReleaseSignature signature = await SignAsync(lost, id);
        Assert.False(restored.Verify(signature, id));
        Assert.True(restored.TryAddSigner(lost.Certificate));
        Assert.True(restored.Verify(signature, id));
    }

    private static PublishInput Input(string key) =>
        new("shop", Guid.NewGuid(), PublishBegin.AnyRelease, "", [new PublishInputKey(key, "{ not json"u8.ToArray())]);

    private static QueuedReleaseSigner Door(ClusterAuthority issuer, ClusterAuthority trusted, params ReadOnlyMemory<byte>[] earlier) =>
        new(new ReleaseSigner(issuer.IssueSigner("host-1")), trusted.Trust, earlier, e => Assert.Fail(e.ToString()));

    private static Task<ReleaseSignature> SignAsync(QueuedReleaseSigner door, Digest160 id)
    {
        var done = new TaskCompletionSource<ReleaseSignature>(TaskCreationOptions.RunContinuationsAsynchronously);
        door.Sign(id, done.SetResult);
        return done.Task.WaitAsync(HostHarness.Cancel);
    }
}
