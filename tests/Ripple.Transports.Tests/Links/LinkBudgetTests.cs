using System.Buffers.Binary;
using Ripple.Engine.Links;
using Ripple.Transports.Links;

namespace Ripple.Transports.Tests.Links;

/// <summary>What the buffers of all links hold together is bounded, and a link that found no room goes on when there is.</summary>
public sealed class LinkBudgetTests
{
    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_link_without_room_in_the_budget_takes_short_frames_alone_and_is_writable_when_others_gave_back()
    {
        var budget = new LinkBudget(LinkBudget.BytesMin);
        await using SocketLinks links = await SocketLinks.OpenAsync(new LinkOptions { SendBudget = budget });
        Assert.True(budget.TryTake(budget.BytesMax, null));

        Assert.True(links.Link.TrySend(16, new byte[100]));
        Assert.False(links.Link.TrySend(17, new byte[8_000]));
        Assert.Equal(0, links.WritableCount);

        budget.Return(budget.BytesMax);
        await links.UntilAsync(() => links.WritableCount == 1);
        Assert.True(links.Link.TrySend(17, new byte[8_000]));
        Assert.Equal(16, (await LinkFrames.ReadAsync(links.Other, Cancel)).Type);
        Assert.Equal(17, (await LinkFrames.ReadAsync(links.Other, Cancel)).Type);
        await links.UntilAsync(() => budget.Bytes == 0);
    }

    [Fact]
    public async Task A_long_frame_that_comes_in_waits_for_room()
    {
        var budget = new LinkBudget(LinkBudget.BytesMin);
        await using SocketLinks links = await SocketLinks.OpenAsync(new LinkOptions { ReceiveBudget = budget });
        Assert.True(budget.TryTake(budget.BytesMax, null));
        byte[] frame = new byte[LinkFrame.HeaderBytes + 60_000];
        BinaryPrimitives.WriteInt32LittleEndian(frame, 60_002);
        BinaryPrimitives.WriteUInt16LittleEndian(frame.AsSpan(4), 16);

        // The one before it has room of its own.
        await links.Other.WriteAsync((byte[])[3, 0, 0, 0, 17, 0, 9, .. frame], Cancel);
        await links.UntilAsync(() => links.Frames.Count == 1);
        Assert.Equal(17, links.Frames[0].Type);
        Assert.Equal(0, links.Core.DoWork(0));

        budget.Return(budget.BytesMax);
        await links.UntilAsync(() => links.Frames.Count == 2);
        Assert.Equal(60_000, links.Frames[1].Body.Length);
        await links.UntilAsync(() => budget.Bytes == 0);
    }

    [Fact]
    public async Task A_long_frame_waits_for_room_in_the_share_of_its_token_too()
    {
        var budget = new LinkBudget(LinkBudget.BytesMin);
        var share = new LinkBudget(LinkBudget.BytesMin);
        await using SocketLinks links = await SocketLinks.OpenAsync(new LinkOptions { ReceiveBudget = budget, ReceiveShare = share });
        Assert.True(share.TryTake(share.BytesMax, null));
        byte[] frame = new byte[LinkFrame.HeaderBytes + 60_000];
        BinaryPrimitives.WriteInt32LittleEndian(frame, 60_002);
        BinaryPrimitives.WriteUInt16LittleEndian(frame.AsSpan(4), 16);
        await links.Other.WriteAsync((byte[])[3, 0, 0, 0, 17, 0, 9, .. frame], Cancel);
        await links.UntilAsync(() => links.Frames.Count == 1);
        // Who waits for its own share takes nothing of what is everybody's.
        Assert.Equal(0, budget.Bytes);
        share.Return(share.BytesMax);
        await links.UntilAsync(() => links.Frames.Count == 2);
        await links.UntilAsync(() => budget.Bytes == 0 && share.Bytes == 0);
    }

    [Fact]
    public async Task A_long_frame_that_is_begun_and_not_sent_ends_the_link_and_gives_back_its_room()
    {
        var budget = new LinkBudget(LinkBudget.BytesMin);
        await using SocketLinks links = await SocketLinks.OpenAsync(
            new LinkOptions { ReceiveBudget = budget, FrameTimeout = TimeSpan.FromMilliseconds(200) });
        // A short one may take its time: it holds the link's own first buffer.
        await links.Other.WriteAsync((byte[])[0x00, 0x30, 0, 0, 16, 0, .. new byte[10]], Cancel);
        await Task.Delay(300, Cancel);
        links.Core.DoWork(0);
        Assert.Empty(links.Ends);
        await links.Other.WriteAsync((byte[])[.. new byte[0x3000 - 12], 0x00, 0xF0, 0, 0, 16, 0, .. new byte[20_000]], Cancel);
        await links.UntilAsync(() => links.Ends.Count == 1);
        Assert.Contains("did not send all of it", links.Ends[0], StringComparison.Ordinal);
        Assert.Single(links.Frames);
        await UntilAsync(() => budget.Bytes == 0);
    }

    [Fact]
    public async Task A_link_that_ends_gives_back_what_it_held()
    {
        var budget = new LinkBudget(LinkBudget.BytesMin);
        await using (SocketLinks links = await SocketLinks.OpenAsync(new LinkOptions { SendBudget = budget, ReceiveBudget = budget }))
        {
            // A frame that never ends, and more than the sockets hold for a side that does not read.
            await links.Other.WriteAsync((byte[])[0x00, 0xF0, 0, 0, 16, 0, .. new byte[20_000]], Cancel);
            // The sockets go on taking what there is for a while.
            await links.UntilAsync(() => !links.Link.TrySend(16, new byte[100_000]) && budget.Bytes > 65_536);
        }

        await UntilAsync(() => budget.Bytes == 0);
    }

    [Fact]
    public async Task Who_gives_up_waiting_takes_nothing()
    {
        var budget = new LinkBudget(LinkBudget.BytesMin);
        Assert.True(budget.TryTake(budget.BytesMax, null));
        Task first = budget.TakeAsync(1_000_000, Cancel).AsTask();
        using var giveUp = new CancellationTokenSource();
        Task second = budget.TakeAsync(1_000_000, giveUp.Token).AsTask();
        await giveUp.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second);
        Assert.False(first.IsCompleted);

        budget.Return(budget.BytesMax);
        await first;

        Assert.Equal(1_000_000, budget.Bytes);
    }

    [Fact]
    public async Task Who_waits_is_told_when_a_quarter_is_free_and_not_before()
    {
        var budget = new LinkBudget(LinkBudget.BytesMin);
        Assert.True(budget.TryTake(budget.BytesMax, null));
        var told = new TaskCompletionSource();
        Assert.False(budget.TryTake(1, told.SetResult));

        budget.Return((budget.BytesMax / 4) - 1);
        // What was queued for the pool's threads before this is taken before it.
        var later = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        ThreadPool.UnsafeQueueUserWorkItem(static l => l.SetResult(), later, preferLocal: false);
        await later.Task;
        Assert.False(told.Task.IsCompleted);

        budget.Return(1);
        await told.Task.WaitAsync(SocketLinks.Patience, Cancel);
    }

    private static async Task UntilAsync(Func<bool> condition)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Cancel);
        limit.CancelAfter(SocketLinks.Patience);
        while (!condition())
        {
            await Task.Delay(1, limit.Token);
        }
    }
}
