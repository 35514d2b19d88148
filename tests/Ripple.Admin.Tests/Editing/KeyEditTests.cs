using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Admin.Editing;

namespace Ripple.Admin.Tests.Editing;

/// <summary>An edit of a key follows the release it was made for, or says what came between.</summary>
public sealed class KeyEditTests
{
    private const string Document = "{ \"limits\": { \"max\": 3 }, \"hosts\": [\"a\", \"b\"], \"title\": \"Shop\" }";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task An_edit_is_published_behind_the_release_that_was_read()
    {
        using var store = new FakeStore(Document);
        using RippleAdminClient client = store.Client();

        KeyEditResult result = await client.EditKeyAsync(
            "shop", "Shop.json", JsonEdit.Set("/limits/max", "5"), new KeyEditOptions { Note = "more" }, Token);

        Assert.Equal(Document.Replace("3", "5", StringComparison.Ordinal), store.Text);
        Assert.Equal((new ReleaseNumber(1, 8), 1, "3", "5"), (result.Release, result.Tries, result.Before, result.After));
        Assert.Equal(8ul, result.Published?.Release);
        Asked asked = Assert.Single(store.Publishes);
        Assert.Equal(("\"1/7\"", "more"), (asked.Expected, asked.Note));
    }

    [Fact]
    public async Task What_is_there_already_is_not_published()
    {
        using var store = new FakeStore(Document);
        using RippleAdminClient client = store.Client();

        KeyEditResult result = await client.EditKeyAsync("shop", "Shop.json", JsonEdit.Set("/limits", "{\"max\":3}"), null, Token);
        KeyEditResult removed = await client.EditKeyAsync("shop", "Shop.json", JsonEdit.Unset("/nothing"), null, Token);

        Assert.Equal((new ReleaseNumber(1, 7), 0, "{ \"max\": 3 }"), (result.Release, result.Tries, result.After));
        Assert.Equal((0, null, null), (removed.Tries, removed.Before, removed.After));
        Assert.Null(result.Published);
        Assert.Empty(store.Publishes);
    }

    [Theory]
    [InlineData("/limits/max", "{ \"limits\": { \"max\": 3, \"min\": 1 }, \"hosts\": [], \"title\": 5, \"new\": {} }")]
    [InlineData("/limits/max", "{ \"limits\": { \"max\": /* three */ 3 } }")]
    [InlineData("/limits/new", "{ \"limits\": { } }")]
    [InlineData("/hosts/0", "{ \"limits\": 1, \"hosts\": [ \"\\u0061\", \"b\" ] }")]
    [InlineData("/deep/er", "{ \"deep\": { \"other\": 1 } }")]
    [InlineData("/deep/er", "{ \"limits\": [] }")]
    public async Task What_changed_elsewhere_is_kept(string pointer, string between)
    {
        FakeStore? shared = null;
        using var store = shared = new FakeStore(Document) { BeforePublish = n => Once(n, () => shared!.Put(between)) };
        using RippleAdminClient client = store.Client();
        JsonEdit edit = JsonEdit.Set(pointer, "9", createsMissing: true);

        KeyEditResult result = await client.EditKeyAsync("shop", "Shop.json", edit, null, Token);

        Assert.Equal(Encoding.UTF8.GetString(edit.Apply(Encoding.UTF8.GetBytes(between)).Document.Span), store.Text);
        Assert.Equal((new ReleaseNumber(1, 9), 2), (result.Release, result.Tries));
        Assert.Equal(["\"1/7\"", "\"1/8\""], store.Publishes.Select(p => p.Expected));
        Assert.NotEqual(store.Publishes[0].PublishId, store.Publishes[1].PublishId);
    }

    [Theory]
    [InlineData("/limits/max", "/limits/max", "3", "4", "{ \"limits\": { \"max\": 4 } }")]
    [InlineData("/limits/max", "/limits/max", "3", null, "{ \"limits\": { } }")]
    [InlineData("/limits/max", "/limits", "{ \"max\": 3 }", null, "{ }")]
    [InlineData("/limits/max", "/limits", "{ \"max\": 3 }", "[3]", "{ \"limits\": [3] }")]
    [InlineData("/limits", "/limits", "{ \"max\": 3 }", "{ \"max\": 4 }", "{ \"limits\": { \"max\": 4 } }")]
    [InlineData("/limits/new", "/limits/new", null, "1", "{ \"limits\": { \"new\": 1 } }")]
    [InlineData("/hosts/0", "/hosts", "[\"a\", \"b\"]", "[\"b\", \"a\"]", "{ \"hosts\": [\"b\", \"a\"] }")]
    [InlineData("/hosts/-", "/hosts", "[\"a\", \"b\"]", "[]", "{ \"hosts\": [] }")]
    [InlineData("/hosts/1", "/hosts", "[\"a\", \"b\"]", "[\"a\"]", "{ \"hosts\": [\"a\"] }")]
    [InlineData("/deep/er", "/deep", null, "null", "{ \"deep\": null }")]
    [InlineData("", "", Document, "{}", "{}")]
    [InlineData("/title", "", Document, null, null)]
    public async Task What_changed_at_the_place_is_a_conflict_with_both_values(
        string pointer, string at, string? before, string? now, string? between)
    {
        FakeStore? shared = null;
        using var store = shared = new FakeStore(Document) { BeforePublish = n => Once(n, () => shared!.Put(between)) };
        using RippleAdminClient client = store.Client();
        JsonEdit edit = JsonEdit.Set(pointer, "{}", createsMissing: true);

        RippleAdminException conflict = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.EditKeyAsync("shop", "Shop.json", edit, null, Token));

        Assert.Equal((ProblemCodes.EditConflict, AdminFailure.Refused), (conflict.Code, conflict.Failure));
        Assert.Equal(new KeyEditConflict(at, before, now, between is null ? null : new ReleaseNumber(1, 8)), conflict.EditConflict);
        Assert.Contains(before ?? "not there", conflict.Message, StringComparison.Ordinal);
        Assert.Contains(now ?? "not there", conflict.Message, StringComparison.Ordinal);
        Assert.Equal(between, store.Document is null ? null : store.Text);
        Assert.Single(store.Publishes);
    }

    [Fact]
    public async Task A_conflict_is_judged_by_what_was_there_when_the_edit_began()
    {
        FakeStore? shared = null;
        string[] between = ["{ \"a\": 1, \"b\": 1 }", "{ \"a\": 1, \"b\": 2 }", "{ \"a\": 2, \"b\": 2 }"];
        using var store = shared = new FakeStore("{ \"a\": 1 }") { BeforePublish = n => shared!.Put(between[n - 1]) };
        using RippleAdminClient client = store.Client();

        RippleAdminException conflict = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.EditKeyAsync("shop", "Shop.json", JsonEdit.Set("/a", "9"), null, Token));

        Assert.Equal(new KeyEditConflict("/a", "1", "2", new ReleaseNumber(1, 10)), conflict.EditConflict);
        Assert.Equal(3, store.Publishes.Count);
    }

    [Fact]
    public async Task What_changed_at_the_place_since_it_was_seen_is_a_conflict()
    {
        using var store = new FakeStore("{ \"a\": 1, \"b\": 1 }");
        using RippleAdminClient client = store.Client();
        store.Put("{ \"a\": 2, \"b\": 1 }");
        var seen = new KeyEditOptions { Since = new ReleaseNumber(1, 7) };

        KeyEditResult result = await client.EditKeyAsync("shop", "Shop.json", JsonEdit.Set("/b", "9"), seen, Token);
        RippleAdminException conflict = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.EditKeyAsync("shop", "Shop.json", JsonEdit.Set("/a", "9"), seen, Token));
        RippleAdminException restored = await Assert.ThrowsAsync<RippleAdminException>(() => client.EditKeyAsync(
            "shop", "Shop.json", JsonEdit.Set("/b", "8"), seen with { Since = new ReleaseNumber(2, 7) }, Token));

        Assert.Equal(("{ \"a\": 2, \"b\": 9 }", new ReleaseNumber(1, 9)), (store.Text, result.Release));
        Assert.Equal(new KeyEditConflict("/a", "1", "2", new ReleaseNumber(1, 9)), conflict.EditConflict);
        Assert.Equal(ProblemCodes.WrongExpectedRelease, restored.Code);
    }

    [Fact]
    public async Task What_is_no_json_meanwhile_is_refused()
    {
        FakeStore? shared = null;
        using var store = shared = new FakeStore(Document) { BeforePublish = _ => shared!.Put("{ x }") };
        using RippleAdminClient client = store.Client();

        RippleAdminException refusal = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.EditKeyAsync("shop", "Shop.json", JsonEdit.Set("/a", "9"), null, Token));

        Assert.Equal(ProblemCodes.EditRefused, refusal.Code);
        Assert.Contains("'Shop.json' of 'shop' at release 8: The document is not JSON", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_edit_that_others_always_overtake_ends()
    {
        FakeStore? shared = null;
        using var store = shared = new FakeStore(Document) { BeforePublish = _ => shared!.Put(Document) };
        using RippleAdminClient client = store.Client();

        RippleAdminException end = await Assert.ThrowsAsync<RippleAdminException>(() => client.EditKeyAsync(
            "shop", "Shop.json", JsonEdit.Set("/a", "9"), new KeyEditOptions { TriesMax = 3 }, Token));

        Assert.Equal(ProblemCodes.Busy, end.Code);
        Assert.Contains("was edited 3 times", end.Message, StringComparison.Ordinal);
        Assert.Equal(3, store.Publishes.Count);
        Assert.Equal(Document, store.Text);
    }

    [Fact]
    public async Task A_lost_answer_is_asked_for_again_as_the_same_publish()
    {
        using var store = new FakeStore(Document) { LostAnswers = 1 };
        using RippleAdminClient client = store.Client();

        KeyEditResult result = await client.EditKeyAsync("shop", "Shop.json", JsonEdit.SetText("/hosts/-", "c"), null, Token);

        Assert.Equal(Document.Replace("\"b\"", "\"b\", \"c\"", StringComparison.Ordinal), store.Text);
        Assert.Equal((new ReleaseNumber(1, 8), 1, 8ul), (result.Release, result.Tries, store.Release));
        Assert.Equal(2, store.Publishes.Count);
        Assert.Equal(store.Publishes[0].PublishId, store.Publishes[1].PublishId);
        Assert.Equal(store.Publishes[0].Expected, store.Publishes[1].Expected);
        Assert.Equal(store.Publishes[0].Bytes, store.Publishes[1].Bytes);
    }

    [Fact]
    public async Task A_host_that_stays_silent_leaves_open_what_was_published()
    {
        using var store = new FakeStore(Document) { LostAnswers = int.MaxValue };
        using RippleAdminClient client = store.Client();

        RippleAdminException end = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.EditKeyAsync("shop", "Shop.json", JsonEdit.Set("/a", "9"), null, Token));

        Assert.Equal(AdminFailure.Unreachable, end.Failure);
        Assert.Contains("was published is not known", end.Message, StringComparison.Ordinal);
        Assert.Equal(2, store.Publishes.Count);
    }

    [Fact]
    public async Task What_does_not_fit_is_refused_with_key_release_and_place()
    {
        using var store = new FakeStore(Document);
        using RippleAdminClient client = store.Client();

        RippleAdminException scalar = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.EditKeyAsync("shop", "Shop.json", JsonEdit.Unset("/title/x"), null, Token));
        RippleAdminException text = await Assert.ThrowsAsync<RippleAdminException>(
            () => client.EditKeyAsync("shop", "Shop.txt", JsonEdit.Unset("/title/x"), null, Token));

        Assert.Equal((ProblemCodes.EditRefused, AdminFailure.Refused), (scalar.Code, scalar.Failure));
        Assert.StartsWith("'Shop.json' of 'shop' at release 7: '/title' is a text", scalar.Message, StringComparison.Ordinal);
        Assert.Equal(ProblemCodes.EditRefused, text.Code);
        Assert.Contains("'Shop.txt' of 'shop' does not end with .json", text.Message, StringComparison.Ordinal);
        Assert.Empty(store.Publishes);
    }

    [Fact]
    public async Task A_plan_changes_nothing()
    {
        using var store = new FakeStore(Document);
        using RippleAdminClient client = store.Client();

        KeyEditPlan plan = await client.PlanEditKeyAsync("shop", "Shop.json", JsonEdit.Set("/limits/max", "5"), null, Token);
        KeyEditPlan none = await client.PlanEditKeyAsync("shop", "Shop.json", JsonEdit.Set("/limits/max", "3"), null, Token);

        Assert.Equal(Document, store.Text);
        Assert.Equal((new ReleaseNumber(1, 7), "3", "5"), (plan.Release, plan.Outcome.Before, plan.Outcome.After));
        Assert.Equal(Assert.Single(store.Publishes).Bytes, plan.Outcome.Document.ToArray());
        Assert.Equal(7ul, plan.Plan?.BaseRelease);
        Assert.Null(none.Plan);
    }

    private static void Once(int publish, Action work)
    {
        if (publish == 1)
        {
            work();
        }
    }
}
