using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>A state that a host sends whole: taken when all of it is there and proved, or not at all.</summary>
public sealed class SnapshotTests : IDisposable
{
    private readonly NodeRig _rig = new NodeRig().Join();

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void A_snapshot_takes_effect_when_its_values_are_here()
    {
        var parts = new SnapshotParts(1, 40, ("a", "1"), ("b", "2"), ("empty", ""));
        parts.SendTo(_rig);
        Assert.Equal(1, _rig.Node.Counters.Snapshots);
        Assert.Empty(_rig.Applied);
        // Both at a time; the empty one is known by its length.
        Assert.Equal(
            [ContentDigest.Compute("1"u8), ContentDigest.Compute("2"u8)], _rig.Host.All<BodyRequest>().Select(r => r.Digest));

        parts.SendValuesTo(_rig);
        ApplicationState state = Assert.Single(_rig.Applied);
        Assert.Equal((1U, 40UL, parts.Header.Id), (state.Keys.Generation, state.Keys.Release, state.Keys.Id));
        Assert.Equal(
            [("a", "1"), ("b", "2"), ("empty", "")],
            state.Values.Select(v => (v.Key, System.Text.Encoding.UTF8.GetString(v.Value.Span))));
        Assert.Equal(0, _rig.Node.Counters.Forged);
    }

    [Fact]
    public void Values_that_are_here_already_are_not_fetched_again()
    {
        Held(("a", "1"), ("b", "2"));
        var parts = new SnapshotParts(1, 40, ("a", "1"), ("b", "3"));
        parts.SendTo(_rig);

        Assert.Equal(ContentDigest.Compute("3"u8), _rig.Host.Only<BodyRequest>().Digest);
        parts.SendValuesTo(_rig);
        Assert.Equal(40UL, _rig.Applied[^1].Keys.Release);
    }

    [Fact]
    public void Releases_go_on_from_a_snapshot()
    {
        var parts = new SnapshotParts(1, 40, ("a", "1"));
        parts.SendTo(_rig);
        byte[] next = After(parts, "2");
        _rig.Send(new CatchUpRelease(NodeRig.Topic, next));
        Assert.Empty(_rig.Applied);

        parts.SendValuesTo(_rig);
        // The snapshot's own state is superseded by the time its values are here.
        Assert.Equal([41UL], _rig.Applied.Select(s => s.Keys.Release));
    }

    [Theory]
    [InlineData(2)]
    [InlineData(4)]
    public void A_snapshot_of_more_or_fewer_keys_than_it_says_is_not_taken(uint told)
    {
        var parts = new SnapshotParts(1, 40, ("a", ""), ("b", ""), ("c", ""));
        _rig.Send(parts.Begin);
        _rig.Send(parts.Keys);
        _rig.Send(new SnapshotEnd(NodeRig.Topic, told));

        NotTaken(forged: 1);
    }

    [Fact]
    public void Keys_and_an_end_without_a_beginning_are_nothing()
    {
        var parts = new SnapshotParts(1, 40, ("a", ""));
        _rig.Send(parts.Keys);
        _rig.Send(parts.End);

        NotTaken(forged: 1);
    }

    [Fact]
    public void An_end_ends_it_once()
    {
        var parts = new SnapshotParts(1, 40, ("a", ""));
        parts.SendTo(_rig);
        _rig.Send(new SnapshotEnd(NodeRig.Topic, 0));

        Assert.Equal((1L, 1L), (_rig.Node.Counters.Snapshots, _rig.Node.Counters.Forged));
    }

    [Fact]
    public void A_new_beginning_forgets_the_keys_of_the_one_before()
    {
        var abandoned = new SnapshotParts(1, 39, ("x", ""), ("y", ""));
        _rig.Send(abandoned.Begin);
        _rig.Send(abandoned.Keys);
        new SnapshotParts(1, 40, ("a", "")).SendTo(_rig);

        Assert.Equal(["a"], Assert.Single(_rig.Applied).Values.Keys);
    }

    [Fact]
    public void A_header_or_a_signature_that_cannot_be_read_spoils_the_snapshot()
    {
        var parts = new SnapshotParts(1, 40, ("a", ""));
        _rig.Send(new SnapshotBegin(NodeRig.Topic, new byte[10], parts.Signature));
        _rig.Send(parts.Keys);
        _rig.Send(parts.End);
        NotTaken(forged: 1);

        _rig.Send(new SnapshotBegin(NodeRig.Topic, parts.Header.Encode(), new byte[10]));
        _rig.Send(parts.Keys);
        _rig.Send(parts.End);
        NotTaken(forged: 2);
    }

    [Theory]
    [InlineData(ReleaseLimits.BodyBytesMax + 1U, 0)]
    [InlineData(1U, 77)]
    public void A_key_of_a_value_too_long_or_of_an_unknown_form_spoils_the_snapshot(uint length, byte form)
    {
        var parts = new SnapshotParts(1, 40, ("a", ""));
        _rig.Send(parts.Begin);
        _rig.Send(new SnapshotKeys(NodeRig.Topic, [new SnapshotKey("a", default, length, form)]));
        _rig.Send(parts.Keys);
        _rig.Send(parts.End);

        NotTaken(forged: 1);
    }

    [Fact]
    public void A_snapshot_whose_keys_come_again_is_forgotten()
    {
        var parts = new SnapshotParts(1, 40, ("a", ""));
        _rig.Send(parts.Begin);
        SnapshotKey[] keys = [.. Enumerable.Range(0, 2_000).Select(i => new SnapshotKey($"{i}", default, 0, 0))];
        _rig.Send(new SnapshotKeys(NodeRig.Topic, keys));
        _rig.Send(new SnapshotKeys(NodeRig.Topic, keys));

        _rig.Send(parts.Keys);
        // What came was forgotten: a lone key is not all there were.
        _rig.Send(new SnapshotEnd(NodeRig.Topic, 1));
        NotTaken(forged: 1);
    }

    [Fact]
    public void Keys_that_are_not_those_of_the_header_are_a_forgery()
    {
        var parts = new SnapshotParts(1, 40, ("a", "1"));
        _rig.Send(parts.Begin);
        _rig.Send(new SnapshotParts(1, 40, ("a", "2")).Keys);
        _rig.Send(parts.End);

        NotTaken(forged: 1);
    }

    [Fact]
    public void A_signature_that_is_not_the_primary_s_is_a_forgery()
    {
        _rig.Verifier.IsBelieving = false;
        new SnapshotParts(1, 40, ("a", "")).SendTo(_rig);

        NotTaken(forged: 1);
    }

    [Fact]
    public void Nothing_is_taken_before_the_signature_was_looked_at()
    {
        _rig.Verifier.IsLate = true;
        var parts = new SnapshotParts(1, 40, ("a", ""));
        parts.SendTo(_rig);
        NotTaken(forged: 0);

        (Digest160 id, Action<bool> answer) = Assert.Single(_rig.Verifier.Asked);
        Assert.Equal(parts.Header.Id, id);
        answer(true);
        Assert.Single(_rig.Applied);
        Assert.Equal(1, _rig.Node.Counters.Snapshots);
    }

    [Theory]
    [InlineData(2, 9)]
    [InlineData(1, 50)]
    public void A_snapshot_from_before_is_not_gone_back_to(uint generation, ulong release)
    {
        new SnapshotParts(2, 10, ("a", "")).SendTo(_rig);
        Assert.Single(_rig.Applied);
        new SnapshotParts(generation, release, ("b", "")).SendTo(_rig);

        Assert.Equal((2U, 10UL), (_rig.Replica.Received.Keys.Generation, _rig.Replica.Received.Keys.Release));
        Assert.Single(_rig.Applied);
        Assert.Equal((1L, 0L), (_rig.Node.Counters.Snapshots, _rig.Node.Counters.Forged));
    }

    [Theory]
    [InlineData(2, 11)]
    [InlineData(3, 1)]
    public void A_snapshot_from_later_is_gone_to_in_a_newer_generation_by_a_lower_number_too(uint generation, ulong release)
    {
        new SnapshotParts(2, 10, ("a", "")).SendTo(_rig);
        new SnapshotParts(generation, release, ("b", "")).SendTo(_rig);

        Assert.Equal((generation, release), (_rig.Replica.Applied.Keys.Generation, _rig.Replica.Applied.Keys.Release));
        Assert.Equal(2, _rig.Node.Counters.Snapshots);
    }

    [Fact]
    public void A_value_that_cannot_be_had_leaves_what_is_here_in_effect_and_the_host_is_asked_again()
    {
        Held(("a", "1"));
        var parts = new SnapshotParts(1, 40, ("a", "2"));
        parts.SendTo(_rig);
        _rig.Send(new BodyMissing(NodeRig.Topic, _rig.Host.Only<BodyRequest>().Digest));
        Assert.Equal(1UL, _rig.Replica.Applied.Keys.Release);

        _rig.Host.Forget();
        _rig.Run(300 * NodeRig.MsNs);
        Assert.Equal(1UL, _rig.Host.Only<CatchUpRequest>().Release);
    }

    [Fact]
    public void A_value_that_was_not_to_be_had_is_asked_for_again_and_the_others_only_once()
    {
        var parts = new SnapshotParts(1, 40, [.. Enumerable.Range(0, 40).Select(i => ($"key{i:00}", $"{i}"))]);
        parts.SendTo(_rig);
        IReadOnlyList<BodyRequest> first = _rig.Host.All<BodyRequest>();
        Assert.Equal(SnapshotFetch.FetchesMax, first.Count);
        _rig.Host.Forget();
        _rig.Send(new BodyMissing(NodeRig.Topic, first[3].Digest));
        foreach (BodyRequest request in first.Where((_, i) => i != 3))
        {
            parts.SendValueTo(_rig, request);
        }

        parts.SendValuesTo(_rig);
        Assert.Empty(_rig.Applied);
        _rig.Run(100 * NodeRig.MsNs);
        Assert.Equal(first[3].Digest, _rig.Host.Only<BodyRequest>().Digest);
        parts.SendValuesTo(_rig);

        Assert.Equal(40, Assert.Single(_rig.Applied).Values.Count);
    }

    [Fact]
    public void What_was_fetched_for_a_snapshot_is_kept_over_a_lost_connection()
    {
        (string, string)[] values = [.. Enumerable.Range(0, 40).Select(i => ($"key{i:00}", $"{i}"))];
        var parts = new SnapshotParts(1, 40, values);
        parts.SendTo(_rig);
        IReadOnlyList<BodyRequest> first = _rig.Host.All<BodyRequest>();
        foreach (BodyRequest request in first.Take(10))
        {
            parts.SendValueTo(_rig, request);
        }

        _rig.Break("cut");
        _rig.Run(NodeRig.SecondNs);
        _rig.Host.Forget();
        _rig.Join();
        // A newer one, with one value changed among those that came, and another one among the rest.
        values[3].Item2 = "new";
        values[30].Item2 = "newer";
        var newer = new SnapshotParts(1, 41, values);
        newer.SendTo(_rig);
        int asked = newer.SendValuesTo(_rig);

        Assert.Equal(40 - 9, asked);
        ApplicationState state = Assert.Single(_rig.Applied);
        Assert.Equal("new"u8.ToArray(), state.Values["key03"].ToArray());
        Assert.Equal("5"u8.ToArray(), state.Values["key05"].ToArray());
    }

    [Fact]
    public void Keys_of_one_value_fetch_it_once()
    {
        var parts = new SnapshotParts(1, 40, ("a", "same"), ("b", "same"), ("c", "same"));
        parts.SendTo(_rig);
        _rig.Host.Only<BodyRequest>();
        parts.SendValuesTo(_rig);

        Assert.Equal(3, Assert.Single(_rig.Applied).Values.Count);
    }

    [Fact]
    public void Another_content_under_the_same_number_is_not_taken()
    {
        new SnapshotParts(1, 40, ("a", "")).SendTo(_rig);
        var other = new SnapshotParts(1, 40, ("b", ""));
        other.SendTo(_rig);

        Assert.Equal(["a"], Assert.Single(_rig.Applied).Values.Keys);
        Assert.Equal(40UL, Assert.Single(_rig.Refusals).Release);
    }

    [Fact]
    public void A_snapshot_whose_connection_broke_begins_again_on_the_next()
    {
        Held(("a", "1"));
        var parts = new SnapshotParts(1, 40, ("a", "2"));
        parts.SendTo(_rig);
        _rig.Break("cut");
        _rig.Run(NodeRig.SecondNs);
        _rig.Host.Forget();
        _rig.Connect();
        Assert.Equal(1UL, Assert.Single(_rig.Host.Only<Join>().Held).Release);
        _rig.Host.Forget();
        _rig.Send(_rig.Answer);
        parts.SendTo(_rig);
        parts.SendValuesTo(_rig);

        Assert.Equal(40UL, _rig.Replica.Applied.Keys.Release);
    }

    private static byte[] After(SnapshotParts parts, string value)
    {
        var keys = parts.Keys.Keys.Select(k => KeyValuePair.Create(k.Key, new KeyEntry(k.Digest, (int)k.Length, (KeyForm)k.Form)));
        Assert.True(ReleaseState.TryFromSnapshot(parts.Header, keys, out ReleaseState? state));
        byte[] bytes = System.Text.Encoding.UTF8.GetBytes(value);
        var signature = new ReleaseSignature(1, new byte[ReleaseSignature.SignatureBytes]);
        return ReleaseMessage.Encode(Headers.After(state, Headers.Set("a", value)), signature, _ => bytes, 1_000);
    }

    private void Held(params (string Key, string Value)[] values)
    {
        _rig.Send(new CatchUpRelease(NodeRig.Topic, new ReleaseChain().Next(values)));
        Assert.Single(_rig.Applied);
        _rig.Host.Forget();
    }

    private void NotTaken(long forged)
    {
        Assert.Empty(_rig.Applied);
        Assert.Equal(0UL, _rig.Replica.Received.Keys.Release);
        Assert.Equal((0L, forged), (_rig.Node.Counters.Snapshots, _rig.Node.Counters.Forged));
        Assert.Empty(_rig.Host.All<BodyRequest>());
    }
}
