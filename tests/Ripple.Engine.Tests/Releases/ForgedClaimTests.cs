using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Releases;

/// <summary>Messages that anyone with the region's key may make take no room from what the host said, or what is signed.</summary>
public sealed class ForgedClaimTests
{
    private const byte Genuine = 1;
    private const byte Garbage = 2;
    private readonly ReleaseChain _chain = new();
    private readonly ReplicaRig _rig = new();

    public ForgedClaimTests() => _rig.Verifier.IsGenuine = s => s.Bytes.Span[0] == Genuine;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Unsigned_claims_of_the_next_number_do_not_keep_a_signed_release_out(bool isLate)
    {
        Forge(PendingReleases.ClaimantsMax + 2, release: 1);
        _rig.Verifier.IsLate = isLate;
        Offer(Signed(Genuine, ("a", "1")));
        _rig.Verifier.AnswerAll();

        Assert.Equal("1"u8.ToArray(), Assert.Single(_rig.Applied).Values["a"].ToArray());
    }

    [Fact]
    public void Unsigned_claims_do_not_keep_out_what_the_host_says_though_that_is_unsigned_too()
    {
        byte[] one = _chain.Next(isSigned: false, ("a", "1"));
        byte[] two = _chain.Next(isSigned: false, ("a", "2"));
        byte[] three = Signed(Genuine, ("a", "3"));
        for (ulong release = 1; release <= 3; release++)
        {
            Forge(PendingReleases.ClaimantsMax, release);
        }

        Offer(one, isFromHost: true);
        Forge(PendingReleases.ClaimantsMax, release: 1);
        Offer(two, isFromHost: true);
        Offer(three, isFromHost: true);

        Assert.Equal(3ul, _rig.Replica.Received.Keys.Release);
        Assert.Equal(0, _rig.Replica.PendingCount);
    }

    [Fact]
    public void Forged_bytes_ahead_of_the_head_leave_room_for_what_the_host_says()
    {
        byte[] large = new byte[100_000];
        for (ulong release = 2; release <= PendingReleases.WindowReleases; release++)
        {
            Offer(Forgery(release, $"{release}", large));
        }

        Offer(_chain.Next(isSigned: false, ("a", "1")), isFromHost: true);
        Offer(Signed(Genuine, ("a", "2")), isFromHost: true);

        Assert.Equal(2ul, _rig.Replica.Received.Keys.Release);
    }

    [Fact]
    public void Claims_that_do_not_link_to_the_head_give_way_first_then_the_oldest()
    {
        Offer(Signed(Genuine, ("a", "0")));
        Offer(_chain.Next(isSigned: false, ("a", "1")));
        Forge(20, release: 2);
        Offer(Signed(Genuine, ("a", "2")));
        Assert.Equal(3ul, _rig.Replica.Received.Keys.Release);

        // Of equals the oldest goes: who forged once has no place for good.
        for (int i = 0; i < PendingReleases.ClaimantsMax; i++)
        {
            Offer(LinkedForgery($"{i}"));
        }

        Offer(_chain.Next(isSigned: false, ("a", "3")));
        Offer(Signed(Genuine, ("a", "4")));
        Assert.Equal(5ul, _rig.Replica.Received.Keys.Release);
    }

    [Fact]
    public void Whoever_gave_way_is_asked_for()
    {
        Offer(Signed(Genuine, ("a", "0")));
        Forge(PendingReleases.ClaimantsMax, release: 2);
        int before = _rig.Behind;
        Offer(_chain.Next(isSigned: false, ("a", "1")));

        Assert.True(_rig.Behind > before);
    }

    [Fact]
    public void No_more_than_two_signatures_are_verified_at_a_time_and_what_the_host_said_comes_next()
    {
        _rig.Verifier.IsLate = true;
        for (int i = 0; i < 10; i++)
        {
            Offer(LinkedForgery($"{i}", Garbage));
        }

        Offer(Signed(Genuine, ("a", "1")), isFromHost: true);
        Assert.Equal(ReleaseIntake.VerifyingMax, _rig.Verifier.UnderWay.Count);
        // One answer makes room for one more: the host's.
        _rig.Verifier.UnderWay[0]();
        _rig.Verifier.UnderWay[2]();

        Assert.Equal(1ul, _rig.Replica.Received.Keys.Release);
    }

    [Fact]
    public void Made_up_signatures_one_after_another_do_not_hold_up_what_is_here()
    {
        _rig.Verifier.IsLate = true;
        Offer(Signed(Genuine, ("a", "1")));
        Offer(LinkedForgery("0", Garbage));
        _rig.Verifier.UnderWay[0]();
        Assert.Empty(_rig.Applied);
        int answered = 0;
        while (_rig.Applied.Count == 0 && answered < 20)
        {
            Offer(LinkedForgery($"{++answered}", Garbage));
            _rig.Verifier.UnderWay[answered]();
        }

        Assert.InRange(answered, 2, 10);
    }

    [Fact]
    public void A_signature_of_what_has_no_place_anyway_is_not_verified()
    {
        _rig.Verifier.IsLate = true;
        Offer(Forgery(PendingReleases.WindowReleases + 1, "far", [], Garbage));
        Assert.Empty(_rig.Verifier.UnderWay);
        Assert.True(_rig.Behind > 0);
    }

    [Fact]
    public void One_message_that_comes_twice_is_verified_once()
    {
        _rig.Verifier.IsLate = true;
        byte[] message = Signed(Genuine, ("a", "1"));
        Offer(message);
        Offer(message, isFromHost: true);
        Assert.Single(_rig.Verifier.UnderWay);
        _rig.Verifier.AnswerAll();
        Assert.Single(_rig.Applied);
    }

    [Fact]
    public void The_proof_that_is_kept_has_the_signature_that_was_verified()
    {
        byte[] genuine = Signed(Genuine, ("a", "1"));
        var twin = new ReleaseChain();
        byte[] garbled = Sign(twin.Next(("a", "1")), Garbage);
        Offer(garbled);
        Assert.Empty(_rig.Applied);
        Offer(genuine);
        Offer(garbled);

        Assert.Equal(Genuine, _rig.Replica.Received.Proof!.Signature.Bytes.Span[0]);
    }

    [Fact]
    public void A_batch_whose_end_comes_first_takes_effect_whatever_claims_its_numbers()
    {
        byte[][] unsigned = [.. Enumerable.Range(0, 20).Select(i => _chain.Next(isSigned: false, ("a", $"{i}")))];
        byte[][] batch = [.. unsigned, Signed(Genuine, ("a", "end"))];
        Offer(batch[^1]);
        for (ulong release = 1; release <= (ulong)batch.Length; release++)
        {
            Forge(2, release);
        }

        foreach (byte[] message in batch.Reverse())
        {
            Offer(message);
        }

        Assert.Equal((ulong)batch.Length, _rig.Replica.Applied.Keys.Release);
        Assert.Equal(0, _rig.Replica.PendingCount);
    }

    [Fact]
    public void What_is_held_is_bounded_whatever_comes()
    {
        var random = new Random(5);
        var pending = new PendingReleases();
        pending.SetHead(10, default);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] message = Forgery(1 + (ulong)random.Next(300), $"{i}", new byte[random.Next(4) == 0 ? 50_000 : 10]);
            Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(message, out ReleaseMessage? read));
            pending.TryAdd(new PendingRelease(read!, (ClaimRank)random.Next(3)), out _);
            Assert.InRange(pending.Bytes, 0, PendingReleases.BytesMax);
            if (random.Next(100) == 0 && pending.NextToVerify() is { } next)
            {
                pending.Remove(next);
            }
        }

        int held = 0;
        long bytes = 0;
        for (ulong release = 0; release < 400; release++)
        {
            int claimants = 0;
            for (PendingRelease? claim = pending.First(release); claim is not null; claim = claim.Newer)
            {
                Assert.Equal(release, claim.Release);
                bytes += claim.Message.HeldBytes;
                claimants++;
            }

            Assert.InRange(claimants, 0, PendingReleases.ClaimantsMax);
            held += claimants > 0 ? 1 : 0;
        }

        Assert.Equal((held, bytes), (pending.Count, pending.Bytes));
        pending.SetHead(400, default);
        Assert.Equal((0, 0L), (pending.Count, pending.Bytes));
    }

    private static byte[] Sign(byte[] message, byte mark)
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(message, out ReleaseMessage? read));
        byte[] signature = new byte[ReleaseSignature.SignatureBytes];
        signature[0] = mark;
        int at = 0;
        return ReleaseMessage.Encode(read!.Header, new ReleaseSignature(1, signature), _ => read.Bodies[at++], 1_000_000);
    }

    private static byte[] Forgery(ulong release, string value, byte[] body, byte signature = 0)
    {
        ReleaseHeader header = Headers.Make(
            release: release,
            generation: 1,
            kind: release == 1 ? ReleaseKind.Creation : ReleaseKind.Changes,
            previousId: release == 1 ? default : Headers.RandomDigest(new Random((int)release)),
            changes: [KeyChange.Set(value, KeyForm.Bytes, body)]);
        byte[] message = ReleaseMessage.Encode(header, null, _ => body, 1_000_000);
        return signature == 0 ? message : Sign(message, signature);
    }

    private byte[] LinkedForgery(string value, byte signature = 0)
    {
        ReleaseHeader header = Headers.After(_chain.State, [Headers.Set("forged", value)]);
        byte[] message = ReleaseMessage.Encode(header, null, _ => System.Text.Encoding.UTF8.GetBytes(value), 1_000_000);
        return signature == 0 ? message : Sign(message, signature);
    }

    private byte[] Signed(byte mark, params (string Key, string Value)[] values) => Sign(_chain.Next(values), mark);

    private void Forge(int count, ulong release)
    {
        for (int i = 0; i < count; i++)
        {
            Offer(Forgery(release, $"forged {i}", []));
        }
    }

    private void Offer(byte[] message, bool isFromHost = false)
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(message, out ReleaseMessage? read));
        _rig.Offer(read!, isFromHost);
    }
}
