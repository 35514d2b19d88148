using Ripple.Engine.Protocol;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Tests.Publishing;

/// <summary>What a publish is judged by: the state it is ordered on, also while that is not on the disk yet.</summary>
public sealed class OrderTests
{
    private readonly PrimaryHarness _host = new();

    [Fact]
    public void The_expected_release_is_the_one_before_in_the_order_and_not_the_newest_committed()
    {
        // Behind the first, which is on its way to the disk, these are one batch: each is judged when only the first is committed.
        _host.Publish(Prepare("a", "1"));
        List<PublishAnswer> onFirst = _host.Publish(Prepare("b", "2", expected: 1));
        List<PublishAnswer> tooLate = _host.Publish(Prepare("c", "3", expected: 1));
        List<PublishAnswer> onSecond = _host.Publish(Prepare("d", "4", expected: 2));
        _host.Run();

        Assert.Equal(2, _host.Store.CommitCount);
        Assert.Equal((ErrorCode.None, 2UL), (Assert.Single(onFirst).Code, onFirst[0].Release));
        PublishAnswer refused = Assert.Single(tooLate);
        Assert.Equal(
            (ErrorCode.WrongExpectedRelease, "The newest release of 'shop' is 2, not 1. Read it, and publish again on top of it."),
            (refused.Code, refused.Text));
        Assert.Equal((1u, 2UL, _host.Committed[1].Id), (refused.Generation, refused.Release, refused.Id));
        Assert.Equal((ErrorCode.None, 3UL), (Assert.Single(onSecond).Code, onSecond[0].Release));
        Assert.Equal(["a", "b", "d"], _host.Primary.Committed.Keys.Keys);
    }

    [Fact]
    public void What_is_removed_must_be_there_in_the_order_and_not_only_on_the_disk()
    {
        _host.Publish(Prepare("a", "1"));
        List<PublishAnswer> removed = _host.Publish(Prepare("a", null));
        List<PublishAnswer> again = _host.Publish(Prepare("a", null));
        _host.Run();
        Assert.Equal((ErrorCode.None, 2UL), (Assert.Single(removed).Code, removed[0].Release));
        Assert.Equal(
            (ErrorCode.NothingChanged, "The publish changes nothing: the newest release already has the state asked for."),
            (Assert.Single(again).Code, again[0].Text));
    }

    [Fact]
    public void A_batch_has_at_most_64_releases_and_the_rest_is_the_next()
    {
        List<PublishAnswer>[] answers = [.. Enumerable.Range(0, 1 + 64 + 1).Select(i => _host.Publish(Prepare("a", $"{i}")))];
        _host.Run();
        Assert.Equal([1, 64, 1], _host.Store.Passed.Select(b => b.Releases.Count));
        Assert.Equal(Enumerable.Range(1, 66).Select(r => (ulong)r), answers.Select(a => Assert.Single(a).Release));
    }

    [Fact]
    public void A_batch_ends_with_the_publish_that_reaches_the_most_bytes_of_one()
    {
        const int Half = Ripple.Engine.Releases.ReleaseLimits.PublishBytesMax / 2;
        _host.Publish(Prepare("a", "1"));
        for (int i = 0; i < 3; i++)
        {
            _host.Publish(Prepare("b", new string((char)('x' + i), Half)));
        }

        _host.Run();
        Assert.Equal([1, 2, 1], _host.Store.Passed.Select(b => b.Releases.Count));
    }

    [Fact]
    public void What_was_refused_when_it_was_ordered_is_a_new_publish_when_it_is_asked_again()
    {
        PreparedPublish publish = Prepare("a", "1", expected: 1);
        List<PublishAnswer> refused = _host.Publish(publish);
        Assert.Equal(ErrorCode.WrongExpectedRelease, Assert.Single(refused).Code);
        _host.Publish(Prepare("b", "1"));
        _host.Run();
        List<PublishAnswer> done = _host.Publish(publish);
        _host.Run();
        Assert.Equal((ErrorCode.None, 2UL), (Assert.Single(done).Code, done[0].Release));
    }

    [Fact]
    public void An_application_has_as_many_keys_as_a_node_takes_and_a_publish_of_more_is_refused()
    {
        var host = new PrimaryHarness(new GmsOptions { Limits = HostLimits.Default with { KeysMax = 2 } });
        host.Publish(Prepare("a", "1"));
        host.Publish(Prepare("b", "1"));
        List<PublishAnswer> third = host.Publish(Prepare("c", "1"));
        List<PublishAnswer> changed = host.Publish(Prepare("b", "2"));
        List<PublishAnswer> removed = host.Publish(Prepare("a", null));
        List<PublishAnswer> again = host.Publish(Prepare("c", "1"));
        host.Run();

        PublishAnswer refused = Assert.Single(third);
        Assert.Equal(ErrorCode.TooLarge, refused.Code);
        Assert.StartsWith("'shop' would have 3 keys, and an application has 2 at most", refused.Text, StringComparison.Ordinal);
        Assert.All([changed, removed, again], a => Assert.Equal(ErrorCode.None, Assert.Single(a).Code));
        Assert.Equal(["b", "c"], host.Primary.Committed.Keys.Keys);
        Assert.Equal(Ripple.Engine.Releases.ReleaseLimits.KeysMax, HostLimits.Default.KeysMax);
    }

    private static PreparedPublish Prepare(string key, string? value, ulong expected = ulong.MaxValue) =>
        PrimaryHarness.Prepare(Guid.NewGuid(), key, value, expected);
}
