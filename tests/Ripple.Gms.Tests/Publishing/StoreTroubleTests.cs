using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Publishing;

/// <summary>
/// Publishing on a store that refuses, is locked, is full, or fails: nothing is delivered that the store did not take, and everybody is
/// told once.
/// </summary>
public sealed class StoreTroubleTests
{
    private readonly PrimaryHarness _host = new();

    [Theory]
    [InlineData(nameof(StoreStatus.Refused), ErrorCode.Busy)]
    [InlineData(nameof(StoreStatus.Busy), ErrorCode.Busy)]
    [InlineData(nameof(StoreStatus.Full), ErrorCode.Busy)]
    [InlineData(nameof(StoreStatus.Failed), ErrorCode.StoreFailed)]
    public void What_the_store_did_not_take_is_not_delivered(string status, ErrorCode told)
    {
        _host.Store.AnswerNextCommit(Enum.Parse<StoreStatus>(status), "why not");
        List<PublishAnswer> answers = _host.Publish(Prepare("a", "1"));
        _host.Run();

        PublishAnswer answer = Assert.Single(answers);
        Assert.Equal((told, 0UL), (answer.Code, answer.Release));
        Assert.StartsWith(
            told == ErrorCode.StoreFailed ? "Whether it was released is not known: why not" : "Nothing was released: why not",
            answer.Text,
            StringComparison.Ordinal);
        Assert.Empty(_host.Committed);
        Assert.Equal(
            (0UL, (ReleaseHeader?)null, (ReleaseSignature?)null),
            (_host.Primary.Committed.Release, _host.Primary.CommittedHeader, _host.Primary.CommittedSignature));
        Assert.Null(_host.Primary.Recent.Find(1));
        Assert.Equal(0, _host.Primary.PendingCount);
        Assert.Equal(["why not"], _host.StoreFailures);
    }

    [Theory]
    [InlineData(nameof(StoreStatus.Refused))]
    [InlineData(nameof(StoreStatus.Busy))]
    [InlineData(nameof(StoreStatus.Full))]
    public void After_trouble_that_passes_the_next_publish_stands_on_what_is_committed(string status)
    {
        Done("a", "1");
        _host.Store.AnswerNextCommit(Enum.Parse<StoreStatus>(status), "why not");
        PublishAnswer refused = Assert.Single(Ended(Prepare("b", "2")));
        Assert.Equal((ErrorCode.Busy, 1UL, _host.Primary.Committed.Id), (refused.Code, refused.Release, refused.Id));
        // The number of what came to nothing is given again.
        PublishAnswer next = Assert.Single(Ended(Prepare("c", "3", expected: 1)));
        Assert.Equal((ErrorCode.None, 2UL), (next.Code, next.Release));
        Assert.Equal(_host.Committed[0].Id, _host.Committed[1].PreviousId);
        Assert.Equal(["a", "c"], _host.Primary.Committed.Keys.Keys);
    }

    [Theory]
    [InlineData(nameof(StoreStatus.Refused), ErrorCode.Busy)]
    [InlineData(nameof(StoreStatus.Busy), ErrorCode.Busy)]
    [InlineData(nameof(StoreStatus.Full), ErrorCode.Busy)]
    [InlineData(nameof(StoreStatus.Failed), ErrorCode.StoreFailed)]
    public void The_batch_and_all_that_wait_behind_it_are_told_at_once(string status, ErrorCode told)
    {
        // The first is a batch of its own; the others were to stand on it.
        PreparedPublish first = Prepare("a", "1");
        _host.Store.AnswerNextCommit(Enum.Parse<StoreStatus>(status), "why not");
        List<PublishAnswer>[] answers =
            [_host.Publish(first), _host.Publish(first), _host.Publish(Prepare("b", "2")), _host.Publish(Prepare("c", "3"))];
        Assert.Equal(3, _host.Primary.PendingCount);
        _host.Run();
        Assert.All(answers, a => Assert.Equal(told, Assert.Single(a).Code));
        // Those that were on their way to a disk that failed may be there; those behind were not even ordered.
        bool isKnown = told != ErrorCode.StoreFailed;
        Assert.Equal(
            [isKnown, isKnown, true, true],
            answers.Select(a => a[0].Text.StartsWith("Nothing was released: why not", StringComparison.Ordinal)));
        Assert.Equal((0, 1), (_host.Primary.PendingCount, _host.Store.CommitCount));
        Assert.Empty(_host.Committed);
        Assert.Single(_host.StoreFailures);
    }

    [Fact]
    public void Publishes_wait_while_members_are_stored_and_take_them_along_where_that_failed()
    {
        _host.Members = new MembershipChange(1, [], [], 1);
        _host.Store.Hold();
        _host.Primary.StoreMembers();
        List<PublishAnswer> first = _host.Publish(Prepare("a", "1"));
        _host.Run();
        // One commit of members at a time: what the next one changes is not known before this one has ended.
        Assert.Equal([(1UL, 0UL)], _host.Ordered);
        _host.Store.LetGo();
        _host.Run();
        Assert.Equal([(1UL, 0UL), (1UL, 1UL)], _host.Ordered);
        Assert.Equal([1, 0], _host.Store.Passed.Select(b => b.Members.Count));
        Assert.Equal(1UL, Assert.Single(first).Release);

        _host.Members = new MembershipChange(1, [], [], 1);
        _host.Store.AnswerNextCommit(StoreStatus.Full, "no room");
        _host.Primary.StoreMembers();
        List<PublishAnswer> second = _host.Publish(Prepare("b", "2"));
        _host.Run();
        Assert.Equal((ErrorCode.None, 2UL), (Assert.Single(second).Code, second[0].Release));
        Assert.Equal([1, 0, 1], _host.Store.Passed.Select(b => b.Members.Count));
        // A store that is broken is asked for nothing.
        _host.Store.Break("the disk is broken");
        _host.Publish(Prepare("c", "3"));
        _host.Run();
        int asked = _host.Store.CommitCount;
        _host.Primary.StoreMembers();
        _host.Run();
        Assert.Equal(asked, _host.Store.CommitCount);
    }

    [Fact]
    public void A_batch_that_fails_after_another_leaves_the_other_as_it_is()
    {
        List<PublishAnswer> first = _host.Publish(Prepare("a", "1"));
        List<PublishAnswer> second = _host.Publish(Prepare("b", "2"));
        List<PublishAnswer> third = _host.Publish(Prepare("c", "3"));
        _host.Store.AnswerNextCommit(StoreStatus.Done, "");
        _host.Store.AnswerNextCommit(StoreStatus.Busy, "it is locked");
        _host.Run();
        Assert.Equal((ErrorCode.None, 1UL), (Assert.Single(first).Code, first[0].Release));
        Assert.Equal((ErrorCode.Busy, 1UL), (Assert.Single(second).Code, second[0].Release));
        Assert.Equal((ErrorCode.Busy, 1UL), (Assert.Single(third).Code, third[0].Release));
        Assert.Equal(1UL, Assert.Single(_host.Committed).Release);
    }

    [Theory]
    [InlineData(nameof(StoreStatus.Refused))]
    [InlineData(nameof(StoreStatus.Busy))]
    [InlineData(nameof(StoreStatus.Full))]
    public void A_publish_id_that_came_to_nothing_is_a_new_publish_when_it_is_asked_again(string status)
    {
        var id = Guid.NewGuid();
        _host.Store.AnswerNextCommit(Enum.Parse<StoreStatus>(status), "why not");
        Assert.Equal(ErrorCode.Busy, Assert.Single(Ended(PrimaryHarness.Prepare(id, "a", "1"))).Code);
        // Also with other content: nothing was done under this id.
        PublishAnswer done = Assert.Single(Ended(PrimaryHarness.Prepare(id, "a", "2")));
        Assert.Equal((ErrorCode.None, 1UL), (done.Code, done.Release));
        Assert.Equal(ErrorCode.PublishIdReused, Assert.Single(Ended(PrimaryHarness.Prepare(id, "a", "1"))).Code);
        Assert.Single(_host.Committed);
    }

    [Fact]
    public void A_publish_id_that_waited_behind_what_failed_is_a_new_publish_too()
    {
        PreparedPublish behind = Prepare("b", "2");
        _host.Store.AnswerNextCommit(StoreStatus.Busy, "it is locked");
        _host.Publish(Prepare("a", "1"));
        _host.Publish(behind);
        _host.Run();
        PublishAnswer done = Assert.Single(Ended(behind));
        Assert.Equal((ErrorCode.None, 1UL), (done.Code, done.Release));
    }

    [Fact]
    public void Once_the_disk_failed_nothing_is_asked_of_it_and_what_is_known_is_still_answered()
    {
        PreparedPublish known = Prepare("a", "1");
        PublishAnswer before = Assert.Single(Ended(known));
        _host.Store.Break("the disk is gone");
        Ended(Prepare("b", "2"));
        int asked = _host.Store.CommitCount;
        PublishAnswer later = Assert.Single(_host.Publish(Prepare("c", "3")));
        Assert.Equal(
            (
                ErrorCode.StoreFailed,
                "The host's store failed; nothing is released until it works again. The host's log says what was reported.",
                1UL),
            (later.Code, later.Text, later.Release));
        Assert.Equal(before, Assert.Single(_host.Publish(known)));
        _host.Primary.BeginGeneration(1, "proved");
        _host.Run();
        Assert.Equal(asked, _host.Store.CommitCount);
        Assert.Empty(_host.Generations);
    }

    [Fact]
    public void When_the_disk_works_again_publishes_do_and_a_generation_begins_and_nothing_is_started_again()
    {
        Done("a", "1");
        _host.Store.Break("the disk is gone");
        PreparedPublish unknown = Prepare("b", "2");
        List<PublishAnswer> failed = _host.Publish(unknown);
        _host.Primary.BeginGeneration(1, "proved");
        _host.Run(5_000_000_000);
        Assert.Equal(ErrorCode.StoreFailed, Assert.Single(failed).Code);
        Assert.Equal(1, _host.Primary.PendingCount);
        Assert.Single(_host.Committed);

        _host.Store.Mend();
        _host.Run(2_000_000_000);
        Assert.Equal([2u], _host.Generations);
        PublishAnswer again = Assert.Single(Ended(unknown));
        Assert.Equal((ErrorCode.None, 2u, 3UL), (again.Code, again.Generation, again.Release));
    }

    [Fact]
    public void A_full_disk_refuses_each_publish_with_the_reason_until_there_is_room()
    {
        Done("a", "1");
        _host.Store.Fill("The disk of the store is full. Nothing was written; try again when there is room.");
        PreparedPublish refused = Prepare("b", "2");
        for (int i = 0; i < 3; i++)
        {
            PublishAnswer answer = Assert.Single(Ended(refused));
            Assert.Equal(
                (ErrorCode.Busy, "Nothing was released: The disk of the store is full. Nothing was written; try again when there is room."),
                (answer.Code, answer.Text));
        }

        _host.Store.Mend();
        Assert.Equal((ErrorCode.None, 2UL), (Assert.Single(Ended(refused)).Code, _host.Primary.Committed.Release));
    }

    [Fact]
    public void A_store_that_is_full_is_asked_again_until_it_takes_the_batch()
    {
        for (int i = 0; i < 3; i++)
        {
            _host.Store.TakeNotNextCommit();
        }

        List<PublishAnswer> answers = _host.Publish(Prepare("a", "1"));
        // Three times of 5 ms, and a commit has at most 2 ms.
        _host.Run(12_000_000);
        Assert.Empty(answers);
        Assert.Empty(_host.Committed);
        _host.Run(8_000_000);
        Assert.Equal((ErrorCode.None, 1UL), (Assert.Single(answers).Code, answers[0].Release));
        Assert.Equal(4, _host.Store.CommitCount);
        Assert.Empty(_host.StoreFailures);
    }

    [Theory]
    [InlineData(nameof(StoreStatus.Busy))]
    [InlineData(nameof(StoreStatus.Full))]
    [InlineData(nameof(StoreStatus.Refused))]
    public void A_generation_that_the_store_did_not_take_did_not_begin_and_is_begun_again(string status)
    {
        Done("a", "1");
        _host.Store.AnswerNextCommit(Enum.Parse<StoreStatus>(status), "it is locked");
        _host.Primary.BeginGeneration(4, "proved");
        List<PublishAnswer> behind = _host.Publish(Prepare("b", "2"));
        Assert.Equal(1u, _host.Primary.Generation);
        _host.Run(500_000_000);
        Assert.Equal((1u, 1), (_host.Primary.Generation, _host.Primary.PendingCount));
        Assert.Equal(ErrorCode.Busy, Assert.Single(behind).Code);
        Assert.Empty(_host.Generations);
        Assert.Single(_host.Committed);

        _host.Run();
        Assert.Equal([5u], _host.Generations);
        Assert.Equal(
            (5u, 2UL, ReleaseKind.Creation, "proved"),
            (_host.Committed[^1].Generation, _host.Committed[^1].Release, _host.Committed[^1].Kind, _host.Committed[^1].Note));
        Assert.Equal(0, _host.Primary.PendingCount);
    }

    [Fact]
    public void A_generation_that_must_be_begun_again_comes_before_what_is_published_meanwhile()
    {
        Done("a", "1");
        _host.Store.AnswerNextCommit(StoreStatus.Busy, "it is locked");
        _host.Primary.BeginGeneration(1, "proved");
        _host.Run(500_000_000);
        Done("b", "2");
        Assert.Equal([(1u, 1UL), (2u, 2UL), (2u, 3UL)], _host.Committed.Select(h => (h.Generation, h.Release)));
    }

    [Fact]
    public void A_generation_that_waits_behind_what_failed_begins()
    {
        Done("a", "1");
        _host.Store.AnswerNextCommit(StoreStatus.Busy, "it is locked");
        _host.Publish(Prepare("b", "2"));
        _host.Primary.BeginGeneration(1, "proved");
        _host.Run(2_000_000_000);
        Assert.Equal((2u, 0), (_host.Primary.Generation, _host.Primary.PendingCount));
        Assert.Equal([2u], _host.Generations);
        Done("c", "3");
        Assert.Equal((2u, 3UL), (_host.Committed[^1].Generation, _host.Committed[^1].Release));
    }

    [Fact]
    public void Every_release_of_a_batch_has_its_audit_line_in_the_same_commit_and_the_last_one_the_signature()
    {
        Done("a", "0");
        _host.Publish(Prepare("a", "1"));
        _host.Publish(Prepare("a", "2"));
        _host.Primary.BeginGeneration(1, "proved");
        _host.Run();
        CommitBatch batch = _host.Store.Passed[^1];
        Assert.Equal([3UL, 4UL], batch.Releases.Select(r => r.Header.Release));
        Assert.Equal(
            [("application.restore", (ulong?)3, "host", "proved"), ("release.publish", 4, "ann", "note")],
            batch.Audit.Select(a => (a.Action, a.Release, a.Actor, a.Detail)));
        Assert.All(batch.Audit, a => Assert.Equal("shop", a.Application));
        Assert.Equal([true, false], batch.Releases.Select(r => r.Signature.IsEmpty));
    }

    private static PreparedPublish Prepare(string key, string value, ulong expected = ulong.MaxValue) =>
        PrimaryHarness.Prepare(Guid.NewGuid(), key, value, expected);

    private List<PublishAnswer> Ended(PreparedPublish publish)
    {
        List<PublishAnswer> answers = _host.Publish(publish);
        _host.Run();
        return answers;
    }

    private void Done(string key, string value) => Assert.Equal(ErrorCode.None, Assert.Single(Ended(Prepare(key, value))).Code);
}
