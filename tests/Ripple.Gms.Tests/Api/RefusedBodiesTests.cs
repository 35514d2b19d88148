using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Time.Testing;
using Ripple.Gms.Api;

namespace Ripple.Gms.Tests.Api;

/// <summary>The rest of refused bodies comes at a bounded rate over all of them, and does not come for ever.</summary>
public sealed class RefusedBodiesTests
{
    private readonly FakeTimeProvider _time = new();

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task What_is_short_is_taken_without_a_turn()
    {
        using var refused = new RefusedBodies(_time);
        var body = new Body(RefusedBodies.TurnBytes - 1);
        Assert.True(await refused.TakeAsync(body, Cancel));
        Assert.Equal(RefusedBodies.TurnBytes - 1, body.Taken);
    }

    [Fact]
    public async Task All_bodies_together_come_one_turn_at_a_time()
    {
        using var refused = new RefusedBodies(_time);
        const int Turns = 9;
        Body[] bodies = [.. Enumerable.Range(0, 3).Select(_ => new Body((Turns * RefusedBodies.TurnBytes) + 1))];
        Task<bool[]> taking = Task.WhenAll(bodies.Select(b => refused.TakeAsync(b, Cancel)));
        Assert.True(await PassAsync(taking) >= 3 * Turns);
        bool[] ended = await taking;
        Assert.DoesNotContain(false, ended);
        Assert.All(bodies, b => Assert.Equal((Turns * RefusedBodies.TurnBytes) + 1, b.Taken));
    }

    [Fact]
    public async Task A_body_that_does_not_end_is_given_up()
    {
        using var refused = new RefusedBodies(_time);
        var body = new Body(long.MaxValue);
        Task<bool> taking = refused.TakeAsync(body, Cancel);
        await PassAsync(taking);
        Assert.False(await taking);
        Assert.Equal(RequestCost.Change.BodyBytesMax, body.Taken);
    }

    [Theory]
    [InlineData("HTTP/1.0", true)]
    [InlineData("HTTP/1.1", true)]
    [InlineData("HTTP/2", false)]
    public async Task Only_where_a_stream_cannot_be_reset_the_rest_is_taken(string protocol, bool isTaken)
    {
        using var refused = new RefusedBodies(_time);
        using var body = new MemoryStream(new byte[RefusedBodies.TurnBytes / 2]);
        var context = new DefaultHttpContext();
        context.Request.Protocol = protocol;
        context.Request.Body = body;
        await refused.TakeAsync(context);
        Assert.Equal(isTaken ? body.Length : 0, body.Position);
    }

    /// <summary>Lets turns pass until it is done; returns how many.</summary>
    private async Task<int> PassAsync(Task task)
    {
        int turns = 0;
        for (; !task.IsCompleted; turns++)
        {
            _time.Advance(RefusedBodies.TurnTime);
            await Task.Yield();
        }

        return turns;
    }

    /// <summary>A body of so many bytes, which come 16 KiB at a time.</summary>
    private sealed class Body(long bytes) : PipeReader
    {
        private static readonly byte[] Chunk = new byte[16 * 1024];
        private ReadOnlySequence<byte> _read;

        public long Taken { get; private set; }

        public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
        {
            int count = (int)Math.Min(Chunk.Length, bytes - Taken);
            _read = new ReadOnlySequence<byte>(Chunk, 0, count);
            return ValueTask.FromResult(new ReadResult(_read, isCanceled: false, isCompleted: count == 0));
        }

        public override void AdvanceTo(SequencePosition consumed) => Taken += _read.Slice(0, consumed).Length;

        public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) => AdvanceTo(consumed);

        public override void CancelPendingRead()
        {
        }

        public override void Complete(Exception? exception = null)
        {
        }

        public override bool TryRead(out ReadResult result)
        {
            result = default;
            return false;
        }
    }
}
