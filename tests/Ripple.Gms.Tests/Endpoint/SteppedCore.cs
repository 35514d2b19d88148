using System.Diagnostics;
using Ripple.Engine.Core;

namespace Ripple.Gms.Tests.Endpoint;

/// <summary>A core loop with the smallest possible thread: it looks for work a thousand times a second.</summary>
internal sealed class SteppedCore : IDisposable
{
    private readonly Thread _thread;
    private volatile bool _isStopped;
    private volatile bool _isHeld;

    public SteppedCore(int requestsMax = 16_384)
    {
        Loop = new CoreLoop(new CoreOptions { RequestsMax = requestsMax, IoPerClassMax = 4, SlabsPerLane = 1, RefusedTrainsMax = 1 }, 1);
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    public CoreLoop Loop { get; }

    public RequestQueue Requests => Loop.Requests;

    /// <summary>While true, the core does nothing.</summary>
    public bool IsHeld
    {
        get => _isHeld;
        set => _isHeld = value;
    }

    /// <summary>Runs something on the core thread.</summary>
    public async Task<T> CallAsync<T>(Func<T> call)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        var request = new Call(() =>
        {
            try
            {
                done.SetResult(call());
            }
            catch (Exception e)
            {
                done.SetException(e);
            }
        });
        while (!Requests.TryPost(request))
        {
            await Task.Delay(1, TestContext.Current.CancellationToken);
        }

        return await done.Task.WaitAsync(TestContext.Current.CancellationToken);
    }

    public Task CallAsync(Action call) => CallAsync(() =>
    {
        call();
        return 0;
    });

    public void Dispose()
    {
        _isStopped = true;
        _thread.Join();
    }

    private void Run()
    {
        while (!_isStopped)
        {
            if (_isHeld || Loop.DoWork(Stopwatch.GetTimestamp()) == 0)
            {
                Thread.Sleep(1);
            }
        }
    }

    private sealed class Call(Action call) : Request
    {
        protected internal override void Execute() => call();
    }
}
