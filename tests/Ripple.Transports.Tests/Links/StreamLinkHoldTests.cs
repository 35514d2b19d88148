using System.Buffers.Binary;
using Ripple.Engine.Links;
using Ripple.Transports.Links;

namespace Ripple.Transports.Tests.Links;

/// <summary>Frames of a link that is held wait, in order and within the same bounds, and so does its end.</summary>
public sealed class StreamLinkHoldTests
{
    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Who_is_held_takes_the_rest_later_in_order_and_the_end_last()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        links.OnNextFrame = () =>
        {
            if (links.Frames.Count % 3 == 0)
            {
                links.Link.Hold();
            }
        };
        await links.Other.WriteAsync((byte[])[.. Enumerable.Range(0, 10).SelectMany(i => Frame((ushort)(16 + i), [1]))], Cancel);
        links.Other.Close();
        await links.UntilAsync(() => links.Frames.Count == 3);
        await Task.Delay(20, Cancel);
        links.Core.DoWork(System.Diagnostics.Stopwatch.GetTimestamp());
        Assert.Equal((3, 0), (links.Frames.Count, links.Ends.Count));
        for (int taken = 6; taken <= 9; taken += 3)
        {
            links.Link.GoOn();
            await links.UntilAsync(() => links.Frames.Count == taken);
            Assert.Empty(links.Ends);
        }

        links.Link.GoOn();
        await links.UntilAsync(() => links.Ends.Count == 1);
        Assert.Equal(Enumerable.Range(16, 10), links.Frames.Select(f => (int)f.Type));
        await links.Running;
    }

    [Fact]
    public async Task What_is_sent_to_a_held_link_finds_no_room_after_a_while_and_arrives_whole()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        links.OnNextFrame = links.Link.Hold;
        byte[] frame = Frame(16, new byte[10_000]);
        const int Count = 1_000;
        Task write = Task.Run(
            async () =>
            {
                for (int i = 0; i < Count; i++)
                {
                    await links.Other.WriteAsync(frame, Cancel);
                }
            },
            Cancel);
        await links.UntilAsync(() => links.Frames.Count == 1);
        await Task.WhenAny(write, Task.Delay(200, Cancel));
        Assert.False(write.IsCompleted);
        Assert.Single(links.Frames);
        links.OnNextFrame = null;
        links.Link.GoOn();
        await links.UntilAsync(() => links.Frames.Count == Count);
        await write;
    }

    [Fact]
    public async Task A_held_link_is_closed_like_any_other()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        links.OnNextFrame = links.Link.Hold;
        await links.Other.WriteAsync((byte[])[.. Frame(16, [1]), .. Frame(17, [2])], Cancel);
        await links.UntilAsync(() => links.Frames.Count == 1);
        links.Link.Close("enough");
        links.Link.GoOn();
        Assert.Single(links.Frames);
        Assert.Equal(LinkFrameType.Goodbye, (await LinkFrames.ReadAsync(links.Other, Cancel)).Type);
        links.Other.Close();
        await links.Running;
    }

    [Fact]
    public async Task A_link_may_be_held_and_closed_by_one_frame()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        links.OnNextFrame = () =>
        {
            links.Link.Hold();
            links.Link.Close("enough");
        };
        await links.Other.WriteAsync((byte[])[.. Frame(16, [1]), .. Frame(17, [2])], Cancel);
        Assert.Equal(LinkFrameType.Goodbye, (await ReadAsync(links)).Type);
        Assert.Single(links.Frames);
        links.Other.Close();
        await links.Running;
    }

    private static async Task<(ushort Type, byte[] Body)> ReadAsync(SocketLinks links)
    {
        await links.UntilAsync(() => links.Frames.Count == 1);
        return await LinkFrames.ReadAsync(links.Other, Cancel);
    }

    private static byte[] Frame(ushort type, byte[] body)
    {
        byte[] frame = new byte[LinkFrame.HeaderBytes + body.Length];
        BinaryPrimitives.WriteInt32LittleEndian(frame, body.Length + 2);
        BinaryPrimitives.WriteUInt16LittleEndian(frame.AsSpan(4), type);
        body.CopyTo(frame.AsSpan(LinkFrame.HeaderBytes));
        return frame;
    }
}
