using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Calls;
using Ripple.Gms.Publishing;
using Ripple.Gms.Sessions;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>A publish whose values come in parts, by plain calls.</summary>
public sealed class PublishUploadTests
{
    private static readonly Guid Id = new(1, 2, 3, new byte[8]);

    [Fact]
    public void The_parts_are_cut_anywhere_and_the_values_are_whole()
    {
        var upload = Upload(Begin(new("a", false, 3), new("gone", true, 0), new("empty", false, 0), new("b", false, 4)));
        Assert.False(upload.IsComplete);
        Assert.True(upload.TryAdd("12"u8));
        Assert.True(upload.TryAdd(default));
        Assert.True(upload.TryAdd("3456"u8));
        Assert.False(upload.IsComplete);
        Assert.True(upload.TryAdd("7"u8));
        Assert.True(upload.IsComplete);
        PublishInput input = upload.ToInput();
        Assert.Equal([("a", "123"), ("gone", null), ("empty", ""), ("b", "4567")], input.Keys.Select(k => (k.Key, Text(k.Value))));
        Assert.Equal(("shop", Id, new ExpectedState(0, 9), "note"), (input.Application, input.PublishId, input.Expected, input.Note));
        Assert.Null(input.Trace);
    }

    [Fact]
    public void More_than_was_announced_is_not_taken_and_changes_nothing()
    {
        var upload = Upload(Begin(new PublishKey("a", false, 3)));
        Assert.True(upload.TryAdd("12"u8));
        Assert.False(upload.TryAdd("34"u8));
        Assert.False(upload.IsComplete);
        Assert.True(upload.TryAdd("3"u8));
        Assert.Equal("123", Text(Assert.Single(upload.ToInput().Keys).Value));
        Assert.False(upload.TryAdd("4"u8));
    }

    [Fact]
    public void One_that_announces_no_bytes_is_complete_at_once()
    {
        Assert.True(Upload(Begin(new("a", true, 0), new("b", false, 0))).IsComplete);
        Assert.True(Upload(Begin()).IsComplete);
    }

    [Fact]
    public void What_it_takes_is_announced_values_and_names_by_their_bytes()
    {
        PublishBegin begin = Begin(new("a", false, uint.MaxValue), new("\u00e9\u00e9", false, uint.MaxValue), new("gone", true, 77));
        Assert.Equal(2L * uint.MaxValue, PublishUpload.ValueBytes(begin));
        Assert.Equal(512 + 4 + (1 + 7) + (4 + 7) + (4 + 7), PublishUpload.HeadBytes(begin));
    }

    [Fact]
    public void Where_it_came_from_goes_along()
    {
        const string Parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        Assert.NotNull(Upload(Begin() with { TraceParent = Parent }).ToInput().Trace);
        Assert.Null(Upload(Begin() with { TraceParent = "nonsense" }).ToInput().Trace);
    }

    [Fact]
    public void It_has_ten_seconds_and_one_more_for_each_64_KiB()
    {
        Assert.Equal(10_000_000_000, Upload(Begin(new PublishKey("a", false, 0))).DueNs);
        Assert.Equal(12_000_000_000, Upload(Begin(new("a", false, 65_536), new("b", false, 65_536))).DueNs);
    }

    [Fact]
    public void One_token_holds_half_of_the_room_and_any_one_publish()
    {
        var budget = new UploadBudget(100);
        UploadBudget.Lease large = budget.TryTake(new ShareOwner("a", "shop"), 80, 1)!;
        Assert.NotNull(large);
        Assert.Null(budget.TryTake(new ShareOwner("a", "shop"), 1, 1));
        Assert.NotNull(budget.TryTake(new ShareOwner("b", "other"), 10, 1));
        Assert.NotNull(budget.TryTake(new ShareOwner("b", "other"), 5, 1));
        large.Dispose();
        large.Dispose();
        Assert.Equal((15, 17), (budget.Bytes, budget.TotalBytes));
        Assert.NotNull(budget.TryTake(new ShareOwner("a", "shop"), 49, 1));
        Assert.Null(budget.TryTake(new ShareOwner("a", "shop"), 1, 0));
    }

    [Fact]
    public void Tokens_of_one_application_leave_a_quarter_of_the_room_to_others()
    {
        var budget = new UploadBudget(100);
        Assert.NotNull(budget.TryTake(new ShareOwner("a", "shop"), 50, 0));
        Assert.NotNull(budget.TryTake(new ShareOwner("b", "shop"), 20, 5));
        Assert.Null(budget.TryTake(new ShareOwner("c", "shop"), 1, 0));
        Assert.NotNull(budget.TryTake(new ShareOwner("d", "other"), 20, 0));
        Assert.NotNull(budget.TryTake(new ShareOwner("e", null), 5, 0));
    }

    private static PublishUpload Upload(PublishBegin begin) =>
        new(begin, new UploadBudget(1_000_000).TryTake(new ShareOwner("token", null), PublishUpload.ValueBytes(begin), 0)!, 0);

    private static PublishBegin Begin(params PublishKey[] keys) => new(4, "shop", Id, 9, "note", "", keys);

    private static string? Text(ReadOnlyMemory<byte>? value) => value is { } bytes ? System.Text.Encoding.UTF8.GetString(bytes.Span) : null;
}
