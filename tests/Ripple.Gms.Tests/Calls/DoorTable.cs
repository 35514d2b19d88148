using Ripple.Engine.Protocol;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Calls;

/// <summary>
/// Questions that both doors must refuse with the same code and text. <c>{token}</c> in a text stands for the token's id.
/// </summary>
internal static class DoorTable
{
    private const string Nowhere = "There is no application 'nowhere'. Create it first, or look for a typing error.";
    private const string NeedsNode =
        "The token {token} does not allow this: it takes the role node in 'shop'. Ask an administrator to set it.";

    /// <summary>What a token without the role of a publisher is told.</summary>
    public const string NeedsPublisher =
        "The token {token} does not allow this: it takes the role publisher in 'shop'. Ask an administrator to set it.";

    private const string NeedsAdmin =
        "The token {token} does not allow this: it takes the role admin over all applications (*). Ask an administrator to set it.";

    /// <summary>What is told when the room for publishes under way is used up.</summary>
    public const string TooMany = "Too many publishes are under way. Try again with the same publish id.";

    /// <summary>The publish id of release 2.</summary>
    public static readonly Guid KnownId = new(7, 0, 0, new byte[8]);

    /// <summary>A change that would be released.</summary>
    public static readonly (string Key, string? Value)[] One = [("a", "3")];

    /// <summary>What is asked of an application whose key <c>a</c> was set by its releases 1 and 2, and what must be answered.</summary>
    public static readonly IReadOnlyDictionary<string, (DoorQuestion Question, ErrorCode Code, string Text)> All =
        new Dictionary<string, (DoorQuestion Question, ErrorCode Code, string Text)>
        {
            ["publish as a node"] = (DoorQuestion.Publish(One) with { By = CallRig.Node }, ErrorCode.NotAllowed, NeedsPublisher),
            ["publish as a stranger"] = (DoorQuestion.Publish(One) with { By = CallRig.Stranger }, ErrorCode.NotAllowed, NeedsPublisher),
            ["roll back as a node"] = (DoorQuestion.Rollback(1) with { By = CallRig.Node }, ErrorCode.NotAllowed, NeedsPublisher),
            ["read the history as a stranger"] = (DoorQuestion.History() with { By = CallRig.Stranger }, ErrorCode.NotAllowed, NeedsNode),
            ["read a key as a stranger"] = (DoorQuestion.Read("a") with { By = CallRig.Stranger }, ErrorCode.NotAllowed, NeedsNode),
            ["ask for status as a stranger"] = (DoorQuestion.Status() with { By = CallRig.Stranger }, ErrorCode.NotAllowed, NeedsNode),
            ["wait as a stranger"] = (DoorQuestion.Wait(1) with { By = CallRig.Stranger }, ErrorCode.NotAllowed, NeedsNode),
            ["create as a publisher"] = (DoorQuestion.Create("new") with { By = CallRig.Publisher }, ErrorCode.NotAllowed, NeedsAdmin),

            ["publish to nowhere"] = (
                DoorQuestion.Publish(One, application: "nowhere") with { By = CallRig.Admin }, ErrorCode.UnknownApplication, Nowhere),
            ["roll nowhere back"] = (
                DoorQuestion.Rollback(1, application: "nowhere") with { By = CallRig.Admin }, ErrorCode.UnknownApplication, Nowhere),
            ["read the history of nowhere"] = (
                DoorQuestion.History("nowhere") with { By = CallRig.Admin }, ErrorCode.UnknownApplication, Nowhere),
            ["read a key of nowhere"] = (
                DoorQuestion.Read("a", 0, "nowhere") with { By = CallRig.Admin }, ErrorCode.UnknownApplication, Nowhere),
            ["ask for the status of nowhere"] = (
                DoorQuestion.Status("nowhere") with { By = CallRig.Admin }, ErrorCode.UnknownApplication, Nowhere),
            ["wait for nowhere"] = (
                DoorQuestion.Wait(1, application: "nowhere") with { By = CallRig.Admin }, ErrorCode.UnknownApplication, Nowhere),

            ["publish nothing"] = (
                DoorQuestion.Publish([]), ErrorCode.InvalidRequest, "A publish has 1 to 1000 keys; this one has 0. Publish in parts."),
            ["publish a key twice"] = (
                DoorQuestion.Publish([("a", "3"), ("a", null)]),
                ErrorCode.InvalidRequest,
                "The key 'a' is in the publish twice. Give each key once."),
            ["publish with a note that rings"] = (
                DoorQuestion.Publish(One, note: "\a"),
                ErrorCode.InvalidRequest,
                "The note has a control character (U+0007) at position 1. Remove it."),
            ["publish with a long note"] = (
                DoorQuestion.Publish(One, note: new string('n', 2_049)),
                ErrorCode.InvalidRequest,
                "The note is longer than 2048 bytes. Shorten it."),
            ["publish on another release"] = (
                DoorQuestion.Publish(One, expected: 7),
                ErrorCode.WrongExpectedRelease,
                "The newest release of 'shop' is 2, not 7. Read it, and publish again on top of it."),
            ["publish a known id"] = (
                DoorQuestion.Publish(One, id: KnownId),
                ErrorCode.PublishIdReused,
                "The publish id 00000007-0000-0000-0000-000000000000 was used before for other content. Use a new id for new content."),
            ["publish what is so"] = (
                DoorQuestion.Publish([("gone", null)]),
                ErrorCode.NothingChanged,
                "The publish changes nothing: the newest release already has the state asked for."),
            ["publish what nobody can check"] = (
                DoorQuestion.Publish(One) with { IsPreparerFull = true },
                ErrorCode.Busy,
                "The host checks as many publishes as it may at one time. Try again with the same publish id."),
            ["publish to a locked store"] = (
                DoorQuestion.Publish(One) with { Store = s => s.AnswerNextCommit(StoreStatus.Busy, "it is locked") },
                ErrorCode.Busy,
                "Nothing was released: it is locked"),
            ["publish to a failed store"] = (
                DoorQuestion.Publish(One) with { Store = s => s.Break("the disk is gone") },
                ErrorCode.StoreFailed,
                "Whether it was released is not known: the disk is gone"
                + " Ask again with the same publish id when the host's store works again."),

            ["roll back to 9"] = (
                DoorQuestion.Rollback(9), ErrorCode.NotFound, "'shop' has no release 9; the newest is 2."),
            ["roll back to 0"] = (
                DoorQuestion.Rollback(0), ErrorCode.NotFound, "'shop' has no release 0; the newest is 2."),
            ["roll back to what is so"] = (
                DoorQuestion.Rollback(2),
                ErrorCode.NothingChanged,
                "The publish changes nothing: the newest release already has the state asked for."),
            ["roll back on another release"] = (
                DoorQuestion.Rollback(1, expected: 1),
                ErrorCode.WrongExpectedRelease,
                "The newest release of 'shop' is 2, not 1. Read it, and publish again on top of it."),
            ["roll back with a note that rings"] = (
                DoorQuestion.Rollback(1, note: "\a"),
                ErrorCode.InvalidRequest,
                "The note has a control character (U+0007) at position 1. Remove it."),
            ["roll back with a long note"] = (
                DoorQuestion.Rollback(1, note: new string('n', 2_049)),
                ErrorCode.InvalidRequest,
                "The note has 2049 bytes of UTF-8, 2048 are allowed. Shorten it."),
            ["roll back with a known id"] = (
                DoorQuestion.Rollback(1, id: KnownId),
                ErrorCode.PublishIdReused,
                "The publish id 00000007-0000-0000-0000-000000000000 was used before for other content. Use a new id for new content."),
            ["roll back on a full store"] = (
                DoorQuestion.Rollback(1) with { Store = s => s.TakeNotNextRead() }, ErrorCode.Busy, Refusals.StoreBusy),
            ["roll back on a locked store"] = (
                DoorQuestion.Rollback(1) with { Store = s => s.AnswerNextRead(StoreStatus.Busy, "it is locked") },
                ErrorCode.Busy,
                Refusals.StoreBusy),
            ["roll back on a failed store"] = (
                DoorQuestion.Rollback(1) with { Store = s => s.BreakReads("it is gone") }, ErrorCode.StoreFailed, Refusals.StoreFailed),

            ["read a key that is not there"] = (DoorQuestion.Read("b"), ErrorCode.NotFound, "'shop' has no key 'b' at release 2."),
            ["read a key that was not there"] = (DoorQuestion.Read("b", 1), ErrorCode.NotFound, "'shop' has no key 'b' at release 1."),
            ["read at a release that is not there"] = (
                DoorQuestion.Read("a", 9), ErrorCode.NotFound, "'shop' has no release 9; the newest is 2."),
            ["read from a full store"] = (
                DoorQuestion.Read("a", 1) with { Store = s => s.TakeNotNextRead() }, ErrorCode.Busy, Refusals.StoreBusy),
            ["read from a locked store"] = (
                DoorQuestion.Read("a", 1) with { Store = s => s.AnswerNextRead(StoreStatus.Busy, "it is locked") },
                ErrorCode.Busy,
                Refusals.StoreBusy),
            ["read from a failed store"] = (
                DoorQuestion.Read("a", 1) with { Store = s => s.BreakReads("it is gone") }, ErrorCode.StoreFailed, Refusals.StoreFailed),

            ["read the history of a full store"] = (
                DoorQuestion.History() with { Store = s => s.TakeNotNextRead() }, ErrorCode.Busy, Refusals.StoreBusy),
            ["read the history of a locked store"] = (
                DoorQuestion.History() with { Store = s => s.AnswerNextRead(StoreStatus.Busy, "it is locked") },
                ErrorCode.Busy,
                Refusals.StoreBusy),
            ["read the history of a failed store"] = (
                DoorQuestion.History() with { Store = s => s.BreakReads("it is gone") }, ErrorCode.StoreFailed, Refusals.StoreFailed),

            ["wait for a release to come"] = (
                DoorQuestion.Wait(3),
                ErrorCode.NotFound,
                "Release 3 of 'shop' is not committed; the newest is 2. Wait for a committed release."),
            ["wait for release 0"] = (
                DoorQuestion.Wait(0),
                ErrorCode.NotFound,
                "Release 0 of 'shop' is not committed; the newest is 2. Wait for a committed release."),

            ["create what is there"] = (
                DoorQuestion.Create(CallRig.Shop), ErrorCode.AlreadyExists, "The application 'shop' is there already."),
            ["create what has no name"] = (
                DoorQuestion.Create(""),
                ErrorCode.InvalidRequest,
                "The application has no name. Give 1 to 100 characters of a-z 0-9 . _ -, starting with a letter or digit."),
            ["create in a full store"] = (
                DoorQuestion.Create("new") with { Store = s => s.TakeNotNextCommit() }, ErrorCode.Busy, Refusals.StoreBusy),
            ["create in a failed store"] = (
                DoorQuestion.Create("new") with { Store = s => s.Break("the disk is gone") },
                ErrorCode.StoreFailed,
                "The application was not created: the disk is gone"),
        };
}
