using System.Collections.Concurrent;
using Ripple.Engine.Links;

namespace Ripple.Gms.Tests.Endpoint;

/// <summary>Collects what a link brings; echoes it when told so.</summary>
internal sealed class TestHandler(ILink link, bool isEcho = false) : ILinkHandler
{
    private readonly Queue<(ushort Type, byte[] Body)> _unsent = [];

    public ILink Link { get; } = link;

    public ConcurrentQueue<(ushort Type, byte[] Body)> Frames { get; } = new();

    public TaskCompletionSource<string> Closed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public int FrameCount => Volatile.Read(ref _frameCount);

    public int WritableCount => Volatile.Read(ref _writableCount);

    public long BodyBytes => Interlocked.Read(ref _bodyBytes);

    /// <summary>Keep no bodies, only counts.</summary>
    public bool IsCounting { get; init; }

    private int _frameCount;
    private int _writableCount;
    private long _bodyBytes;

    public void OnFrame(ushort type, ReadOnlySpan<byte> body)
    {
        Assert.False(Closed.Task.IsCompleted, "A frame after the end.");
        if (!IsCounting)
        {
            Frames.Enqueue((type, body.ToArray()));
        }

        Interlocked.Add(ref _bodyBytes, body.Length);
        Interlocked.Increment(ref _frameCount);
        if (isEcho && (_unsent.Count > 0 || !Link.TrySend(type, body)))
        {
            _unsent.Enqueue((type, body.ToArray()));
        }
    }

    public void OnWritable()
    {
        Interlocked.Increment(ref _writableCount);
        while (_unsent.TryPeek(out (ushort Type, byte[] Body) next) && Link.TrySend(next.Type, next.Body))
        {
            _unsent.Dequeue();
        }
    }

    public void OnClosed(string reason) => Closed.SetResult(reason);
}
