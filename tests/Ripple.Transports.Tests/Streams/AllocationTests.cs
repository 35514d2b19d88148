using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Simulator.Stack;
using Ripple.Transports.Running;
using Ripple.Transports.Tests.Running;

namespace Ripple.Transports.Tests.Streams;

/// <summary>Between two sockets of two core threads nothing is allocated, however much is lost and repaired.</summary>
[Collection(nameof(Alone))]
public class AllocationTests
{
    private const int Members = 3;
    private const int WarmUp = 100_000;
    private const int Messages = 1_000_000;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    [Fact]
    public void A_million_messages_with_loss_and_repair_allocate_nothing_on_either_core()
    {
        LoopbackSender sender = null!;
        var members = new LoopbackMember[Members];
        using var sending = new CoreOnThread(
            WaitKind.Auto, new CoreOptions(), core => sender = new LoopbackSender(core.Loop, core.Ports, Members));
        using var receiving = new CoreOnThread(WaitKind.Auto, new CoreOptions(), core =>
        {
            for (int i = 0; i < Members; i++)
            {
                members[i] = new LoopbackMember(core.Loop, core.Ports, (uint)i + 1, Members, sender.ControlAddress, WarmUp + Messages);
            }

            RegionView view = LoopbackRegion.View(members);
            Array.ForEach(members, m => m.OnView(view));
        });
        RegionView all = LoopbackRegion.View(members);

        // Much more is lost at first than later, so that what is taken as first needed is as much as there will ever be.
        Send(sending, sender, () => sender.OnView(all), WarmUp, new FaultPolicy { DropProbability = 0.1 });
        (long sendingBytes, long receivingBytes) = (AllocatedBytes(sending), AllocatedBytes(receiving));
        (long dropped, long repairs) = (sender.Dropped, sender.Counters.Repairs);
        Send(sending, sender, static () => { }, WarmUp + Messages, new FaultPolicy { DropProbability = 0.005 });
        Assert.Equal((0, 0), (AllocatedBytes(sending) - sendingBytes, AllocatedBytes(receiving) - receivingBytes));

        Assert.All(members, m => Assert.Equal((WarmUp + Messages, 0), (m.Messages, m.Wrong)));
        Assert.True(sender.Dropped > dropped, "Nothing was lost: the test shows nothing about repair.");
        Assert.True(sender.Counters.Repairs > repairs, "Nothing was repaired.");
        sending.Runner.Dispose();
        receiving.Runner.Dispose();
        sender.Dispose();
        Array.ForEach(members, m => m.Dispose());
    }

    /// <summary>Sends and waits, without a task: completing one would allocate on the core.</summary>
    private static void Send(CoreOnThread core, LoopbackSender sender, Action before, int limit, FaultPolicy policy)
    {
        sender.Delivered.Reset();
        Assert.True(core.Loop.Requests.TryPost(new Job(() =>
        {
            before();
            sender.SendTo(limit, policy);
        })));
        Assert.True(sender.Delivered.Wait(Patience, TestContext.Current.CancellationToken), $"Not all members have all {limit} messages.");
    }

    private static long AllocatedBytes(CoreOnThread core)
    {
        long bytes = 0;
        using var answered = new ManualResetEventSlim();
        Assert.True(core.Loop.Requests.TryPost(new Job(() =>
        {
            bytes = GC.GetAllocatedBytesForCurrentThread();
            answered.Set();
        })));
        Assert.True(answered.Wait(Patience, TestContext.Current.CancellationToken));
        return bytes;
    }

    private sealed class Job(Action action) : Request
    {
        protected internal override void Execute() => action();
    }
}
