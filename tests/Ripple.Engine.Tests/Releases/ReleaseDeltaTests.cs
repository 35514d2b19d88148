using System.IO.Compression;
using System.Text;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Releases;

/// <summary>Releases whose values travel as deltas: in a message, at a replica, and shared by the nodes of a core.</summary>
public sealed class ReleaseDeltaTests
{
    private readonly ReleaseChain _chain = new();
    private readonly SharedReleases _shared = new();

    [Fact]
    public void A_message_says_how_each_value_travels_and_without_a_delta_it_is_what_it_was()
    {
        byte[] first = _chain.Next(("a", Document(0)), ("b", "short"));
        Assert.Equal(1, first[0]);
        byte[] edit = _chain.Edit(("a", Document(1)), ("b", "new"), ("c", "added"));
        Assert.Equal(2, edit[0]);
        ReleaseMessage read = Read(edit);
        Assert.Equal([null, "new", "added"], read.Bodies.Select(TextOf));
        Assert.Equal([true, false, false], read.ShortForms!.Select(d => d is { IsDelta: true }));
        Assert.InRange(read.ShortForms![0]!.Value.Bytes.Length, 1, 60);
        // What has no shorter form travels as before.
        Assert.Equal(1, _chain.Edit(("b", "other"))[0]);
    }

    [Fact]
    public void A_value_that_is_too_long_to_travel_whole_travels_as_a_delta()
    {
        string large = string.Concat(Enumerable.Range(0, 20_000).Select(i => $"line {i}\n"));
        _chain.Next(isSigned: true, inlineBytesMax: 0, ("a", large));
        string edited = large.Replace("line 77\n", "LINE 77\n", StringComparison.Ordinal);
        ReleaseMessage read = Read(_chain.Edit(isSigned: true, 1_000, d => d, ("a", edited)));
        Assert.NotNull(read.ShortForms![0]);
        Assert.Null(Read(_chain.Edit(isSigned: true, 1, d => d, ("a", large))).ShortForms);
    }

    [Fact]
    public void Malformed_messages_are_refused()
    {
        _chain.Next(("a", Document(0)));
        byte[] edit = _chain.Edit(("a", Document(1)));
        for (int length = 0; length < edit.Length; length++)
        {
            Assert.NotEqual(DecodeStatus.Ok, ReleaseMessage.TryRead(edit.AsSpan(0, length), out _));
        }

        int form = edit.Length - 2 - Read(edit).ShortForms![0]!.Value.Bytes.Length - 4 - 1;
        Assert.Equal(3, edit[form]);
        foreach (byte wrong in new byte[] { 0, 1, 2, 4, 6, 255 })
        {
            byte[] other = [.. edit];
            other[form] = wrong;
            Assert.NotEqual(DecodeStatus.Ok, ReleaseMessage.TryRead(other, out _));
        }

        // As of the version that has no deltas.
        byte[] old = [.. edit];
        old[0] = 1;
        Assert.NotEqual(DecodeStatus.Ok, ReleaseMessage.TryRead(old, out _));
        // A message of the later version has one: there are no two forms of one message.
        byte[] whole = _chain.Next(("b", "whole"));
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(whole, out _));
        whole[0] = 2;
        Assert.Equal(DecodeStatus.Malformed, ReleaseMessage.TryRead(whole, out _));
        // Instructions that are not shorter than what they make are none.
        byte[] padded = _chain.Edit(isSigned: true, 1_000_000, d => [.. d, .. new byte[10_000]], ("a", Document(2)));
        Assert.Equal(1, padded[0]);
    }

    [Fact]
    public void A_replica_makes_each_value_from_the_one_it_received_before()
    {
        var rig = new ReplicaRig();
        rig.Offer(Read(_chain.Next(("a", Document(0)), ("b", Document(100)))));
        for (int i = 1; i < 20; i++)
        {
            rig.Offer(Read(_chain.Edit(("a", Document(i)))));
            Assert.Equal(Document(i), TextOf(rig.Replica.Applied.Values["a"]));
        }

        rig.Offer(Read(_chain.Edit(("a", Document(40)), ("b", Document(41)))));
        Assert.Equal([Document(40), Document(41)], rig.Replica.Applied.Values.Values.Select(v => TextOf(v)));
        Assert.Equal((0, 0), (rig.Fetches, rig.Forged));
    }

    [Fact]
    public void The_base_is_what_was_received_though_it_was_rejected_also_after_a_restart()
    {
        var rig = new ReplicaRig { Judge = s => TextOf(s.Values["a"]) == Document(1) ? "it does not like it" : null };
        rig.Offer(Read(_chain.Next(("a", Document(0)))));
        rig.Offer(Read(_chain.Edit(("a", Document(1)))));
        Assert.Equal(Document(0), TextOf(rig.Replica.Applied.Values["a"]));
        byte[] next = _chain.Edit(("a", Document(2)));
        rig.Offer(Read(next));
        Assert.Equal((Document(2), 0, 0), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches, rig.Forged));

        var before = new ReplicaRig { Judge = rig.Judge };
        var chain = new ReleaseChain();
        before.Offer(Read(chain.Next(("a", Document(0)))));
        before.Offer(Read(chain.Edit(("a", Document(1)))));
        var again = new ReplicaRig(null, before.Save());
        Assert.Equal(Document(0), TextOf(again.Replica.Applied.Values["a"]));
        again.Offer(Read(chain.Edit(("a", Document(2)))));
        Assert.Equal((Document(2), 0, 0), (TextOf(again.Replica.Applied.Values["a"]), again.Fetches, again.Forged));
    }

    [Fact]
    public void A_batch_of_edits_is_made_one_from_the_other_in_whatever_order_it_comes()
    {
        byte[] first = _chain.Next(("a", Document(0)));
        byte[][] batch =
        [
            _chain.Edit(isSigned: false, 1_000_000, d => d, ("a", Document(1))),
            _chain.Edit(isSigned: false, 1_000_000, d => d, ("a", Document(2))),
            _chain.Edit(("a", Document(3))),
        ];
        foreach (int[] order in new int[][] { [0, 1, 2], [2, 1, 0], [1, 2, 0] })
        {
            var rig = new ReplicaRig();
            rig.Offer(Read(first));
            Array.ForEach(order, i => rig.Offer(Read(batch[i])));
            Assert.Equal((Document(3), 0, 0), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches, rig.Forged));
        }
    }

    [Fact]
    public void Edits_behind_a_release_that_waits_for_a_value_are_made_when_it_is_their_turn()
    {
        string fetched = Document(1);
        var rig = new ReplicaRig { Fetched = Encoding.UTF8.GetBytes(fetched), IsFetchLate = true };
        rig.Offer(Read(_chain.Next(("a", Document(0)))));
        rig.Offer(Read(_chain.Next(isSigned: true, inlineBytesMax: 0, ("a", fetched))));
        rig.Offer(Read(_chain.Edit(("a", Document(2)))));
        rig.Offer(Read(_chain.Edit(("a", Document(3)))));
        Assert.Equal((1UL, 1, 3), (rig.Replica.Received.Keys.Release, rig.Fetches, rig.Replica.StagedCount));
        Assert.Single(rig.FetchesUnderWay)();
        Assert.Equal((Document(3), 1, 0), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches, rig.Forged));
    }

    [Fact]
    public void A_delta_that_leads_to_something_else_is_fetched_whole_and_blamed_on_who_sealed_it()
    {
        var sealer = new NodeId(7, 7);
        byte[] first = _chain.Next(("a", Document(0)));
        Func<byte[], byte[]>[] forgeries = [d => [.. d[..^1], (byte)(d[^1] ^ 1)], d => d[..^1], _ => [0], _ => [255, 255]];
        foreach (Func<byte[], byte[]> forge in forgeries)
        {
            var chain = new ReleaseChain();
            chain.Next(("a", Document(0)));
            var rig = new ReplicaRig { Fetched = Encoding.UTF8.GetBytes(Document(1)) };
            rig.Offer(Read(first));
            rig.Offer(Read(chain.Edit(isSigned: true, 1_000_000, forge, ("a", Document(1)))), isFromHost: false, sealer);
            Assert.Equal((Document(1), 1), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches));
            IntakeRefusal refusal = Assert.Single(rig.Refusals);
            Assert.Equal((true, sealer, "a", 2UL), (refusal.IsKept, refusal.Sealer, refusal.Key, refusal.Release));
            rig.Offer(Read(chain.Edit(("a", Document(2)))), isFromHost: false, sealer);
            Assert.Equal((Document(2), 1, 1), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches, rig.Forged));
        }
    }

    [Fact]
    public void A_compressed_value_is_made_and_one_that_is_another_is_fetched_and_blamed_on_who_sealed_it()
    {
        var sealer = new NodeId(7, 7);
        var rig = new ReplicaRig { Fetched = Encoding.UTF8.GetBytes(Document(2)) };
        byte[] message = _chain.Compress(b => b, ("a", Document(0)), ("b", Document(1)));
        Assert.InRange(message.Length, 1, Document(0).Length);
        Assert.All(Read(message).ShortForms!, f => Assert.False(f!.Value.IsDelta));
        rig.Offer(Read(message));
        Assert.Equal([Document(0), Document(1)], rig.Replica.Applied.Values.Values.Select(v => TextOf(v)));
        Assert.Equal((0, 0), (rig.Fetches, rig.Forged));

        byte[] other = ValueCompression.TryCompress(new byte[Encoding.UTF8.GetByteCount(Document(2))], 1_000)!;
        rig.Offer(Read(_chain.Compress(_ => other, ("a", Document(2)))), isFromHost: false, sealer);
        Assert.Equal((Document(2), 1), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches));
        Assert.Equal((true, sealer), (Assert.Single(rig.Refusals).IsKept, rig.Refusals[0].Sealer));
        // It is the base of the next.
        rig.Offer(Read(_chain.Edit(("a", Document(3)))));
        Assert.Equal((Document(3), 1, 1), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches, rig.Forged));
    }

    [Fact]
    public void A_compressed_delta_is_made_and_one_of_more_instructions_than_the_value_has_bytes_is_fetched_and_blamed()
    {
        var sealer = new NodeId(7, 7);
        var rig = new ReplicaRig { Fetched = Encoding.UTF8.GetBytes(Rewritten(2)) };
        rig.Offer(Read(_chain.Next(("a", Rewritten(0)))));
        byte[] message = _chain.CompressEdit(d => d, ("a", Rewritten(1)));
        ShortForm form = Read(message).ShortForms![0]!.Value;
        Assert.Equal((true, true), (form.IsDelta, form.IsCompressed));
        rig.Offer(Read(message));
        Assert.Equal((Rewritten(1), 0, 0), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches, rig.Forged));

        // Zeros get short: a bomb of some bytes, whose instructions would fill a megabyte.
        rig.Offer(Read(_chain.CompressEdit(_ => new byte[ValueDelta.ValueBytesMax], ("a", Rewritten(2)))), isFromHost: false, sealer);
        Assert.Equal((Rewritten(2), 1), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches));
        Assert.Equal((true, sealer), (Assert.Single(rig.Refusals).IsKept, rig.Refusals[0].Sealer));
        rig.Offer(Read(_chain.CompressEdit(d => d, ("a", Rewritten(3)))));
        Assert.Equal((Rewritten(3), 1, 1), (TextOf(rig.Replica.Applied.Values["a"]), rig.Fetches, rig.Forged));
    }

    [Fact]
    public void Instructions_as_long_as_the_value_are_none_though_they_lead_to_it()
    {
        byte[] value = Encoding.UTF8.GetBytes("0123456789");
        // Ten bytes, each inserted alone: twenty. One byte less than the value may have is what a reader has room for.
        byte[] inserted = [.. value.SelectMany(b => new byte[] { 2, b })];
        byte[] copied = [1 | (9 << 1), 0, 2, (byte)'9'];
        byte[] made = new byte[value.Length];
        Assert.True(ValueDelta.TryApply(inserted, value, made));
        Assert.False(new ShortForm(true, true, Stored(inserted)).TryMake(value, made));
        Assert.True(new ShortForm(true, true, Stored(copied)).TryMake(value, made));
        Assert.Equal(value, made);
        // What is left over, and what is none.
        Assert.False(new ShortForm(true, true, Stored([.. copied, 0])).TryMake(value, made));
        Assert.False(new ShortForm(true, true, copied).TryMake(value, made));
        Assert.False(new ShortForm(true, true, Stored(copied)).TryMake(value, made.AsSpan(0, 1)));
    }

    [Fact]
    public void Who_sealed_the_false_delta_is_blamed_though_others_sealed_what_let_it_be_looked_at()
    {
        var forger = new NodeId(6, 6);
        var honest = new NodeId(5, 5);
        byte[] first = _chain.Next(("a", Document(0)));
        byte[] whole = _chain.Next(("a", Document(1)));
        byte[] forged = _chain.Edit(isSigned: true, 1_000_000, d => d[..^1], ("a", Document(2)));
        var rig = new ReplicaRig { Fetched = Encoding.UTF8.GetBytes(Document(2)) };
        rig.Offer(Read(first), isFromHost: false, honest);
        rig.Offer(Read(forged), isFromHost: false, forger);
        Assert.Empty(rig.Refusals);
        rig.Offer(Read(whole), isFromHost: false, honest);
        Assert.Equal(forger, Assert.Single(rig.Refusals).Sealer);
        Assert.Equal(Document(2), TextOf(rig.Replica.Applied.Values["a"]));
    }

    [Fact]
    public void Who_does_not_take_a_key_looks_at_none_of_its_deltas_and_who_has_no_base_fetches_the_value()
    {
        byte[] first = _chain.Next(("a", Document(0)), ("b", Document(1)));
        byte[] edit = _chain.Edit(isSigned: true, 1_000_000, d => d[..^1], ("b", Document(2)));
        var some = new ReplicaRig(key => key == "a");
        some.Offer(Read(first));
        some.Offer(Read(edit));
        Assert.Equal((2UL, 0, 0), (some.Replica.Applied.Keys.Release, some.Fetches, some.Forged));

        // It took another key when it was saved than it takes now.
        var before = new ReplicaRig(key => key == "a");
        before.Offer(Read(first));
        var later = new ReplicaRig(null, before.Save()) { Fetched = Encoding.UTF8.GetBytes(Document(2)) };
        later.Offer(Read(edit));
        Assert.Equal((Document(2), 1, 0), (TextOf(later.Replica.Applied.Values["b"]), later.Fetches, later.Forged));
    }

    [Fact]
    public void What_one_node_of_a_core_made_serves_the_others()
    {
        _shared.Join();
        _shared.Join();
        var first = new ReplicaRig();
        var second = new ReplicaRig();
        byte[][] messages = [_chain.Next(("a", Document(0))), _chain.Edit(("a", Document(1))), _chain.Edit(("a", Document(2)))];
        foreach (byte[] message in messages)
        {
            first.Offer(Share(message));
            second.Offer(Share(message));
        }

        Assert.Equal(Document(2), TextOf(second.Replica.Applied.Values["a"]));
        Assert.Same(first.Replica.Applied, second.Replica.Applied);
    }

    [Fact]
    public void Values_that_were_made_count_among_what_is_shared_and_go_with_their_messages()
    {
        _shared.Join();
        _shared.Join();
        string large = string.Concat(Enumerable.Range(0, 40_000).Select(i => $"line {i}\n"));
        var first = new ReplicaRig { Fetched = Encoding.UTF8.GetBytes(large) };
        var second = new ReplicaRig { Fetched = Encoding.UTF8.GetBytes(large) };
        byte[] message = _chain.Next(isSigned: true, inlineBytesMax: 0, ("a", large));
        first.Offer(Share(message));
        second.Offer(Share(message));
        int roomFor = (SharedReleases.BytesMax / (large.Length + 2_000)) - 1;
        for (int i = 0; i < 100; i++)
        {
            string next = large.Replace("line 77\n", $"line 77 {i}\n", StringComparison.Ordinal);
            message = _chain.Edit(("a", next));
            Assert.InRange(message.Length, 1, 2_000);
            first.Offer(Share(message));
            second.Offer(Share(message));
            Assert.Equal(next, TextOf(second.Replica.Applied.Values["a"]));
            // The values of as many as there is room for.
            Assert.InRange(_shared.Bytes, Math.Min(i + 1, roomFor) * large.Length, SharedReleases.BytesMax);
        }

        Assert.InRange(_shared.Count, 1, 1 + (SharedReleases.BytesMax / large.Length));
        Assert.Equal((1, 1, 0, 0), (first.Fetches, second.Fetches, first.Forged, second.Forged));
    }

    [Fact]
    public void Any_history_of_edits_ends_in_what_was_released_whatever_is_lost_repeated_or_forged()
    {
        for (int seed = 1; seed <= 200; seed++)
        {
            var random = new Random(seed);
            var chain = new ReleaseChain();
            string text = Document(0);
            List<(byte[] Message, bool IsForged)> sent = [(chain.Next(("a", text)), false)];
            for (int i = 1; i < 40; i++)
            {
                int at = random.Next(text.Length);
                string inserted = $"<{random.Next(100)}>";
                text = string.Concat(text.AsSpan(0, at), inserted, text.AsSpan(Math.Min(text.Length, at + random.Next(20))));
                bool isForged = random.Next(10) == 0;
                sent.Add((chain.Edit(isSigned: true, 1_000_000, d => isForged ? d[..^1] : d, ("a", text)), isForged));
            }

            var rig = new ReplicaRig { Fetched = null };
            ulong newest = 0;
            foreach ((byte[] message, _) in sent.SelectMany(m => Enumerable.Repeat(m, 1 + random.Next(2))).OrderBy(_ => random.Next(3)))
            {
                rig.Offer(Read(message));
                ulong release = rig.Replica.Received.Keys.Release;
                Assert.True(release >= newest);
                newest = release;
                foreach ((string key, KeyEntry entry) in rig.Replica.Received.Keys.Keys)
                {
                    // Whatever is there is what its digest says.
                    Assert.Equal(entry.Digest, ContentDigest.Compute(rig.Replica.Received.Values[key].Span));
                }
            }

            int firstForged = sent.FindIndex(m => m.IsForged);
            Assert.Equal(firstForged < 0 ? 40UL : (ulong)firstForged, newest);
        }
    }

    private static string Document(int edit) =>
        string.Concat(Enumerable.Range(0, 40).Select(i => $"line {i}: {(i == edit % 40 ? $"edited {edit}" : "as it was")}\n"));

    private static string Rewritten(int edit) =>
        string.Concat(Enumerable.Range(0, 40).Select(i => $"line {i}: {(i % 2 == 1 ? $"version-{edit}" : "stays as it was")}\n"));

    /// <summary>As a compressed stream, which may be longer.</summary>
    private static byte[] Stored(byte[] bytes)
    {
        byte[] room = new byte[bytes.Length + 64];
        Assert.True(BrotliEncoder.TryCompress(bytes, room, out int length, quality: 1, window: 10));
        return room[..length];
    }

    private static string? TextOf(ReadOnlyMemory<byte>? value) => value is { } bytes ? Encoding.UTF8.GetString(bytes.Span) : null;

    private static ReleaseMessage Read(byte[] message)
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(message, out ReleaseMessage? read));
        return read!;
    }

    private ReleaseMessage Share(byte[] message)
    {
        Assert.Equal(DecodeStatus.Ok, _shared.TryRead(message, out ReleaseMessage? read));
        return read!;
    }
}
