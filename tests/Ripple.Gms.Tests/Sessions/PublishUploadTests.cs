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
        Assert.Equal(("shop", Id, 9UL, "note"), (input.Application, input.PublishId, input.ExpectedRelease, input.Note));
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

    private static PublishUpload Upload(PublishBegin begin) =>
        new(begin, new UploadBudget(1_000_000).TryTake(PublishUpload.ValueBytes(begin), 0)!);

    private static PublishBegin Begin(params PublishKey[] keys) => new(4, "shop", Id, 9, "note", "", keys);

    private static string? Text(ReadOnlyMemory<byte>? value) => value is { } bytes ? System.Text.Encoding.UTF8.GetString(bytes.Span) : null;
}
