using System.Buffers.Binary;
using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Transports.Links;

namespace Ripple.Transports.Tests.Links;

public sealed class StreamLinkTests
{
    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Frames_cut_anywhere_arrive_whole_and_in_order()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        var random = new DeterministicRandom(5);
        var wire = new MemoryStream();
        var sent = new List<(ushort, byte[])>();
        for (int i = 0; i < 300; i++)
        {
            byte[] body = new byte[i % 50 == 7 ? 60_000 + i : random.NextInt32(200)];
            body.AsSpan().Fill((byte)i);
            sent.Add(((ushort)(16 + i), body));
            wire.Write(Frame((ushort)(16 + i), body));
        }

        Task write = Task.Run(
            async () =>
            {
                ReadOnlyMemory<byte> rest = wire.ToArray();
                while (!rest.IsEmpty)
                {
                    int bytes = Math.Min(rest.Length, 1 + random.NextInt32(random.NextInt32(4) == 0 ? 40_000 : 20));
                    await links.Other.WriteAsync(rest[..bytes], Cancel);
                    rest = rest[bytes..];
                }
            },
            Cancel);
        await links.UntilAsync(() => links.Frames.Count == sent.Count);
        await write;

        Assert.Equal(sent.Select(frame => frame.Item1), links.Frames.Select(frame => frame.Type));
        Assert.All(sent.Zip(links.Frames), pair => Assert.Equal(pair.First.Item2, pair.Second.Body));
    }

    [Theory]
    [InlineData(LinkFrame.BodyBytesMax + 3u, 16)]
    [InlineData(uint.MaxValue, 16)]
    [InlineData(1u, 16)]
    [InlineData(0u, 16)]
    public async Task Impossible_length_ends_the_link_after_the_frames_before_it_and_says_why_to_both(uint length, ushort type)
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        byte[] bad = new byte[6];
        BinaryPrimitives.WriteUInt32LittleEndian(bad, length);
        BinaryPrimitives.WriteUInt16LittleEndian(bad.AsSpan(4), type);
        await links.Other.WriteAsync((byte[])[.. Frame(16, [1]), .. bad], Cancel);

        await links.UntilAsync(() => links.Ends.Count == 1);

        Assert.Single(links.Frames);
        Assert.Contains(length.ToString(CultureInfo.InvariantCulture), links.Ends[0], StringComparison.Ordinal);
        (ushort goodbye, byte[] body) = await LinkFrames.ReadAsync(links.Other, Cancel);
        Assert.Equal(LinkFrameType.Goodbye, goodbye);
        Assert.True(LinkRefusal.TryRead(body, out LinkRefusal refusal));
        Assert.Equal(LinkRefusalCode.Malformed, refusal.Code);
        Assert.Equal(0, await links.Other.ReadAsync(new byte[1], Cancel));
    }

    [Fact]
    public async Task Bad_length_right_behind_a_long_frame_ends_the_link_like_any_other()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        await links.Other.WriteAsync((byte[])[.. Frame(16, new byte[LinkFrame.BodyBytesMax]), 0, 0, 0, 0, 0, 0], Cancel);
        await links.UntilAsync(() => links.Ends.Count == 1);
        Assert.Equal(LinkFrame.BodyBytesMax, Assert.Single(links.Frames).Body.Length);
        Assert.Equal(LinkFrameType.Goodbye, (await LinkFrames.ReadAsync(links.Other, Cancel)).Type);
        await links.Other.WriteAsync(new byte[100_000], Cancel);
        links.Other.Close();
        await links.Running;
    }

    [Fact]
    public async Task Link_frame_out_of_place_ends_the_link()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        await links.Other.WriteAsync(Frame(LinkFrameType.Enroll, new byte[9]), Cancel);
        await links.UntilAsync(() => links.Ends.Count == 1);
        Assert.Contains("type 1", links.Ends[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task End_of_the_connection_is_told_once_with_what_happened()
    {
        await using SocketLinks whole = await SocketLinks.OpenAsync();
        await whole.Other.WriteAsync(Frame(16, [1, 2]), Cancel);
        whole.Other.Close();
        await whole.UntilAsync(() => whole.Ends.Count == 1);
        Assert.Single(whole.Frames);
        Assert.Equal("The other side closed the connection.", whole.Ends[0]);

        await using SocketLinks cut = await SocketLinks.OpenAsync();
        await cut.Other.WriteAsync(Frame(16, [1, 2]).AsMemory(0, 7), Cancel);
        cut.Other.Close();
        await cut.UntilAsync(() => cut.Ends.Count == 1);
        Assert.Contains("in the middle of a frame", cut.Ends[0], StringComparison.Ordinal);
        await cut.Running;
        Assert.False(cut.Link.TrySend(16, []));
    }

    [Fact]
    public async Task Full_send_buffer_refuses_and_tells_when_half_is_free()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        byte[] body = new byte[30_000];
        long sentBytes = 0;
        for (int refusals = 0; refusals < 20;)
        {
            if (refusals > 0)
            {
                await Task.Delay(10, Cancel);
                links.Core.DoWork(0);
            }

            if (links.Link.TrySend(16, body))
            {
                sentBytes += body.Length + LinkFrame.HeaderBytes;
                refusals = 0;
            }
            else
            {
                refusals++;
            }

            Assert.InRange(links.Link.SendRoomBytes, 0, 262_144);
        }

        // The core has not run since the last refusal: whatever left meanwhile, that there is room again is yet to be told, and once.
        int writableBefore = links.WritableCount;
        byte[] received = new byte[65_536];
        Task read = Task.Run(
            async () =>
            {
                while (sentBytes > 0)
                {
                    sentBytes -= await links.Other.ReadAsync(received, Cancel);
                }
            },
            Cancel);
        await links.UntilAsync(() => links.WritableCount > writableBefore);
        Assert.True(links.Link.SendRoomBytes >= 131_072);
        await read;
        await links.UntilAsync(() => links.Link.SendRoomBytes == 262_144);
        Assert.Equal(writableBefore + 1, links.WritableCount);
    }

    [Fact]
    public async Task Reader_that_never_reads_does_not_keep_a_closing_link_for_ever()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync(new() { CloseTimeout = TimeSpan.FromMilliseconds(200) });
        for (int refusals = 0; refusals < 10;)
        {
            refusals = links.Link.TrySend(16, new byte[30_000]) ? 0 : refusals + 1;
            await Task.Delay(refusals, Cancel);
        }

        links.Link.Close("enough");
        await links.Running.WaitAsync(SocketLinks.Patience, Cancel);
        Assert.Empty(links.Ends);
    }

    [Fact]
    public async Task Close_from_inside_a_frame_ends_the_callbacks_at_once()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync();
        links.OnNextFrame = () => links.Link.Close("one is enough");
        await links.Other.WriteAsync((byte[])[.. Frame(16, []), .. Frame(17, []), .. Frame(18, [])], Cancel);

        (ushort type, byte[] body) = (0, []);
        Task read = Task.Run(async () => (type, body) = await LinkFrames.ReadAsync(links.Other, Cancel), Cancel);
        await links.UntilAsync(() => read.IsCompleted);
        await read;
        links.Other.Close();
        await links.UntilAsync(() => links.Running.IsCompleted);
        links.Core.DoWork(0);

        Assert.Equal(LinkFrameType.Goodbye, type);
        Assert.True(LinkRefusal.TryRead(body, out LinkRefusal refusal));
        Assert.Equal("one is enough", refusal.Text);
        Assert.Single(links.Frames);
        Assert.Empty(links.Ends);
    }

    [Fact]
    public async Task Stopping_ends_the_link_even_when_the_core_does_not_run()
    {
        await using SocketLinks links = await SocketLinks.OpenAsync(new() { CloseTimeout = TimeSpan.FromSeconds(5) });
        for (int i = 0; i < 100; i++)
        {
            await links.Other.WriteAsync(Frame(16, new byte[10_000]), Cancel);
        }

        Assert.True(links.Link.TrySend(17, [1]));
        links.Stop();
        // What was queued still leaves, and the other side is told why nothing follows.
        Assert.Equal(17, (await LinkFrames.ReadAsync(links.Other, Cancel)).Type);
        (ushort type, byte[] body) = await LinkFrames.ReadAsync(links.Other, Cancel);
        Assert.Equal(LinkFrameType.Goodbye, type);
        Assert.True(LinkRefusal.TryRead(body, out LinkRefusal goodbye));
        Assert.Equal((LinkRefusalCode.Busy, "it is stopping."), (goodbye.Code, goodbye.Text));
        await links.Running.WaitAsync(SocketLinks.Patience, Cancel);
        Assert.False(links.Link.TrySend(17, [2]));

        // The core runs late: it takes what had been handed to it, and hears of the end once, behind that.
        Assert.Empty(links.Frames);
        Assert.Empty(links.Ends);
        await links.UntilAsync(() => links.Ends.Count > 0);
        links.Core.DoWork(0);
        Assert.InRange(links.Frames.Count, 0, 99);
        Assert.Equal(["This side of the link is stopping."], links.Ends);
    }

    [Fact]
    public void Early_bodies_survive_their_form_and_truncations_are_refused()
    {
        var request = new EnrollRequest("token", new byte[91], "shop", "web-1");
        byte[] bytes = request.ToBytes();
        EnrollRequest read = EnrollRequest.Read(bytes)!;
        Assert.Equal(("token", 91, "shop", "web-1"), (read.Token, read.PublicKey.Length, read.Application, read.Name));
        Assert.DoesNotContain("token", request.ToString(), StringComparison.Ordinal);
        var grant = new EnrollGrant(new byte[500], new byte[400], new(1, 2), new(3, 4));
        byte[] grantBytes = grant.ToBytes();
        Assert.Equal((500, 400, grant.ClusterId, grant.NodeId), (EnrollGrant.Read(grantBytes)!.Certificate.Length,
            EnrollGrant.Read(grantBytes)!.Authority.Length, EnrollGrant.Read(grantBytes)!.ClusterId, EnrollGrant.Read(grantBytes)!.NodeId));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.Null(EnrollRequest.Read(bytes.AsSpan(0, length)));
        }

        for (int length = 0; length < grantBytes.Length; length++)
        {
            Assert.Null(EnrollGrant.Read(grantBytes.AsSpan(0, length)));
        }

        Assert.Null(EnrollRequest.Read([.. bytes, 0]));
        Assert.Null(EnrollGrant.Read([.. grantBytes, 0]));
        Assert.False(LinkRefusal.TryRead([], out _));
        byte[] longest = new LinkRefusal(LinkRefusalCode.Busy, new string('x', 2_000) + "\n").ToBytes();
        Assert.True(LinkRefusal.TryRead(longest, out LinkRefusal refusal));
        Assert.Equal((LinkRefusalCode.Busy, LinkRefusal.TextBytesMax), (refusal.Code, refusal.Text.Length));
    }

    private static byte[] Frame(ushort type, byte[] body)
    {
        byte[] frame = new byte[6 + body.Length];
        BinaryPrimitives.WriteInt32LittleEndian(frame, body.Length + 2);
        BinaryPrimitives.WriteUInt16LittleEndian(frame.AsSpan(4), type);
        body.CopyTo(frame, 6);
        return frame;
    }
}
