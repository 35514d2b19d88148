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
        Assert.Equal(2, now.Certificates.Count);
        await using QueuedReleaseSigner deceived = Door(authority, authority, another.Certificate);
        Assert.False(deceived.Verify(await SignAsync(another, id), id));
        Assert.Single(deceived.Certificates);
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
