using Ripple.Engine.Core;
using Ripple.Transports.Running;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>
/// Asks a core thread how many bytes it allocated, without any allocation on it. One asker at a time, from another thread.
/// </summary>
internal sealed class CoreAllocations(CoreRunner runner) : IDisposable
{
    private readonly Question _question = new();

    public long Read()
    {
        _question.Answered.Reset();
        while (!runner.Loop.Requests.TryPost(_question))
        {
            Thread.Yield();
        }

        _question.Answered.Wait();
        return _question.Bytes;
    }

    public void Dispose() => _question.Answered.Dispose();

    private sealed class Question : Request
    {
        public ManualResetEventSlim Answered { get; } = new();

        public long Bytes { get; private set; }

        protected internal override void Execute()
        {
            Bytes = GC.GetAllocatedBytesForCurrentThread();
            Answered.Set();
        }
    }
}
