using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Tests.Publishing;

public sealed class ApplicationPrimaryTests
{
    private readonly PrimaryHarness _host = new();

    [Fact]
    public void Publishes_that_wait_together_are_one_batch_with_one_signature()
    {
        _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "1"));
        List<PublishAnswer> second = _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "2"));
        List<PublishAnswer> third = _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "b", "3"));

        Assert.Empty(second);
        _host.Run();

        Assert.Equal([1UL, 2UL, 3UL], _host.Committed.Select(h => h.Release));
        Assert.Equal(2UL, Assert.Single(second).Release);
        Assert.Equal(3UL, Assert.Single(third).Release);
        Assert.Equal(3UL, _host.Primary.Committed.Release);
    }

    [Fact]
    public void What_depends_on_the_state_before_is_made_against_the_one_it_is_ordered_on()
    {
        PreparedPublish first = PrimaryHarness.Prepare(Guid.NewGuid(), "a", "1");
        _host.Publish(first);
        _host.Run();
        // On its way to the disk when the rollback to the first is asked: the newest committed state looks as if nothing had to change.
        _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "2"));
        KeyEntry past = _host.Primary.Committed.Keys["a"];
        PreparedPublish back = first with
        {
            Input = first.Input with { PublishId = Guid.NewGuid() },
            Changes = [],
            ChangesOn = newest => newest.Keys["a"] == past ? [] : [KeyChange.Set("a", past.Form, past.Length, past.Digest)],
        };
        List<PublishAnswer> answers = _host.Publish(back);
        _host.Run();

        Assert.Equal((ErrorCode.None, 3UL), (Assert.Single(answers).Code, answers[0].Release));
        Assert.Equal(past, _host.Primary.Committed.Keys["a"]);
    }

    [Fact]
    public void A_publish_that_nobody_could_take_is_refused_as_busy_and_done_when_it_comes_again()
    {
        var primary = new PrimaryHarness { AreAllBehind = true };
        PreparedPublish publish = PrimaryHarness.Prepare(Guid.NewGuid(), "a", "1");
        Assert.Equal(ErrorCode.Busy, Assert.Single(primary.Publish(publish)).Code);
        primary.Run();
        Assert.Empty(primary.Committed);
        primary.AreAllBehind = false;
        List<PublishAnswer> answers = primary.Publish(publish);
        primary.Run();
        Assert.Equal(ErrorCode.None, Assert.Single(answers).Code);
        // What was done before is known, whoever is behind.
        primary.AreAllBehind = true;
        Assert.Equal(ErrorCode.None, Assert.Single(primary.Publish(publish)).Code);
        Assert.Single(primary.Committed);
    }

    [Fact]
    public void Only_so_many_wait_for_one_publish()
    {
        PreparedPublish publish = PrimaryHarness.Prepare(Guid.NewGuid(), "a", "1");
        List<PublishAnswer>[] asked = [.. Enumerable.Range(0, 64 + 3).Select(_ => _host.Publish(publish))];
        Assert.Equal(2, asked.Count(answers => answers is [{ Code: ErrorCode.Busy }]));
        _host.Run();
        Assert.Equal(64 + 1, asked.Count(answers => answers is [{ Code: ErrorCode.None, Release: 1 }]));
    }

    [Fact]
    public void The_same_publish_is_done_once_while_it_is_under_way_and_after()
    {
        PreparedPublish publish = PrimaryHarness.Prepare(Guid.NewGuid(), "a", "1");
        List<PublishAnswer> first = _host.Publish(publish);
        List<PublishAnswer> joined = _host.Publish(publish);
        _host.Run();
        List<PublishAnswer> later = _host.Publish(publish);

        Assert.Single(_host.Committed);
        Assert.Equal(Assert.Single(first), Assert.Single(joined));
        Assert.Equal(first[0], Assert.Single(later));
    }

    [Fact]
    public void A_publish_id_is_compared_before_the_expected_release()
    {
        Guid id = Guid.NewGuid();
        PreparedPublish publish = PrimaryHarness.Prepare(id, "a", "1", expected: 0);
        _host.Publish(publish);
        _host.Run();

        // By now release 0 is no longer the newest: it is the same publish all the same.
        Assert.Equal(ErrorCode.None, Assert.Single(_host.Publish(publish)).Code);
        Assert.Equal(ErrorCode.PublishIdReused, Assert.Single(_host.Publish(PrimaryHarness.Prepare(id, "a", "2", expected: 0))).Code);
        List<PublishAnswer> late = _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "2", expected: 0));
        Assert.Equal(ErrorCode.WrongExpectedRelease, Assert.Single(late).Code);
        Assert.Equal(1UL, late[0].Release);
        Assert.Contains("The newest release of 'shop' is 1, not 0", late[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_waits_when_a_generation_begins_is_released_in_it_and_what_is_on_its_way_to_the_disk_is_not()
    {
        _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "1"));
        _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "2"));
        _host.Primary.BeginGeneration(1, "restored");
        _host.Primary.BeginGeneration(1, "proved by another node");
        _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "3"));
        _host.Run();

        Assert.Equal(
            [(1u, ReleaseKind.Changes), (2u, ReleaseKind.Creation), (2u, ReleaseKind.Changes), (2u, ReleaseKind.Changes)],
            _host.Committed.Select(h => (h.Generation, h.Kind)));
    }

    [Fact]
    public void Of_two_generations_that_wait_the_higher_begins()
    {
        _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "1"));
        _host.Primary.BeginGeneration(1, "a node that knows of no restore");
        _host.Primary.BeginGeneration(2, "a node that was there after an earlier one");
        Assert.Equal(2, _host.Primary.PendingCount);
        _host.Run();

        Assert.Equal([3u], _host.Generations);
        Assert.Equal(
            [(1u, 1UL, "note"), (3u, 2UL, "a node that was there after an earlier one")],
            _host.Committed.Select(h => (h.Generation, h.Release, h.Note)));
    }

    [Fact]
    public void A_generation_that_is_proved_while_another_is_on_its_way_to_the_disk_follows_that_one()
    {
        _host.Primary.BeginGeneration(1, "first");
        _host.Primary.BeginGeneration(2, "second");
        // What begins is what is delivered, and not what waits.
        Assert.Equal(1u, _host.Primary.Generation);
        _host.Run();

        Assert.Equal([2u, 3u], _host.Generations);
        Assert.Equal([(2u, 1UL), (3u, 2UL)], _host.Committed.Select(h => (h.Generation, h.Release)));
    }

    [Fact]
    public void A_batch_that_was_asked_for_before_the_epoch_rose_is_committed_in_its_own_and_the_next_in_the_higher()
    {
        _host.Store.Hold();
        Assert.True(_host.Context.Epoch.TryExceed(7, isProved: true, () => { }));
        List<PublishAnswer> before = _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "1"));
        _host.Run();
        Assert.Empty(before);
        _host.Store.LetGo();
        _host.Run();
        Assert.Equal(8u, _host.Context.Epoch.Value);
        List<PublishAnswer> after = _host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "2"));
        _host.Run();

        Assert.Equal((ErrorCode.None, ErrorCode.None), (Assert.Single(before).Code, Assert.Single(after).Code));
        Assert.Equal([1u, 8u], _host.Committed.Select(h => h.SlotEpoch));
    }

    [Fact]
    public void A_proof_of_the_last_generation_there_is_begins_none()
    {
        _host.Primary.BeginGeneration(uint.MaxValue, "a lie");
        _host.Run();
        Assert.Empty(_host.Committed);
    }

    [Fact]
    public void A_flush_that_failed_releases_nothing_and_says_so_and_the_id_may_be_asked_again_when_the_disk_works()
    {
        _host.Disk.FailNextSync = "no space left on device";
        PreparedPublish publish = PrimaryHarness.Prepare(Guid.NewGuid(), "a", "1");
        List<PublishAnswer> answers = _host.Publish(publish);
        _host.Run(100_000_000);

        PublishAnswer answer = Assert.Single(answers);
        Assert.Equal(ErrorCode.StoreFailed, answer.Code);
        Assert.Contains("no space left on device", answer.Text, StringComparison.Ordinal);
        Assert.Empty(_host.Committed);
        Assert.Equal(0UL, _host.Primary.Committed.Release);
        Assert.Single(_host.StoreFailures);
        Assert.Equal(ErrorCode.StoreFailed, Assert.Single(_host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", "2"))).Code);

        _host.Run();
        List<PublishAnswer> again = _host.Publish(publish);
        _host.Run();
        Assert.Equal((ErrorCode.None, 1UL), (Assert.Single(again).Code, again[0].Release));
        Assert.Single(_host.Committed);
    }

    [Fact]
    public void Removing_what_is_not_there_changes_nothing()
    {
        Assert.Equal(ErrorCode.NothingChanged, Assert.Single(_host.Publish(PrimaryHarness.Prepare(Guid.NewGuid(), "a", null))).Code);
    }
}
