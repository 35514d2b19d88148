using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using Ripple.Engine.Core;
using Ripple.Load.Fanout.EngineSide;
using Ripple.Load.Fanout.Messages;
using Ripple.Load.Fanout.Net;
using Ripple.Load.Fanout.Raw;
using Ripple.Load.Processes;

namespace Ripple.Load.Fanout;

/// <summary>Both sides of one parameter set, ready to take turns: the senders here, the receivers in a process of their own.</summary>
internal sealed class FanoutSession : IAsyncDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan SampleTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan WarmUp = TimeSpan.FromMilliseconds(300);
    private readonly FanoutPlan _plan;
    private readonly PieceMaker _maker;
    private readonly EngineSender _engine;
    private readonly Child _child;
    private readonly ResidentMemory[] _memory;
    private Socket? _rawSocket;
    private RawSender? _raw;

    private FanoutSession(FanoutPlan plan, PieceMaker maker, EngineSender engine, Child child)
    {
        _plan = plan;
        _maker = maker;
        _engine = engine;
        _child = child;
        _memory = [new ResidentMemory(Environment.ProcessId), new ResidentMemory(child.ProcessId)];
    }

    /// <summary>Messages that the engine was given.</summary>
    public long Messages => _maker.Messages;

    public long Repairs => _engine.Counters.Repairs;

    /// <summary>First transmissions lost on purpose.</summary>
    public long LostOnPurpose => _engine.Lost;

    public static async Task<FanoutSession> StartAsync(FanoutPlan plan, string[] args)
    {
        var maker = new PieceMaker(plan.Options.Bytes, plan.Topics);
        var engine = new EngineSender(plan, maker);
        var session = new FanoutSession(plan, maker, engine, Child.Start(ReceiversRole.ArgumentsOf(plan, engine.ControlAddress, args)));
        string[] ready = await session._child.ExpectAsync("ready", StartTimeout);
        engine.Start(FanoutRegion.View(ReadAddresses(ready[2]), ReadAddresses(ready[3])));
        if (plan.Options.IsRawMeasured)
        {
            session.OpenRaw(ready[1]);
        }

        return session;
    }

    /// <summary>Sends through the engine for a while, measures that, and waits until all have all.</summary>
    public async Task<Period> RunEngineAsync(TimeSpan duration)
    {
        await _engine.BeginAsync();
        Period period = await MeasureAsync(duration);
        await _engine.EndAsync();
        await DrainAsync();
        return period;
    }

    /// <summary>Sends without the engine for a while, and measures that. Infinite: without a pace.</summary>
    public async Task<(Period Period, double Loss, double PaceBytesS)> RunRawAsync(TimeSpan duration, double paceBytesS)
    {
        Sample before = await SampleReceiversAsync();
        long packets = _raw!.Packets;
        // A thread of its own: it blocks, sleeps and must not share the pool's.
        Task<double> sending = Task.Factory.StartNew(
            () => SendRaw(duration + WarmUp + WarmUp, paceBytesS),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        Period period = await MeasureAsync(duration);
        double pace = await sending;
        double received = await SettleRawAsync() - before["raw_packets"];
        return (period, 1 - (received / ((_raw.Packets - packets) * (double)_plan.Receivers)), pace);
    }

    /// <summary>The times since the last call, p50 and p99 in microseconds. Between runs.</summary>
    public async Task<(double P50Us, double P99Us)> TakeLatenciesAsync(bool isRaw)
    {
        string line = isRaw ? "raw-latencies" : "latencies";
        await _child.SendAsync(line);
        string[] words = await _child.ExpectAsync(line, SampleTimeout);
        return (ProcessCost.Read(words[1]), ProcessCost.Read(words[2]));
    }

    /// <summary>
    /// The 99th percentile of the times from sending to the arrival of what had to be repaired since the last call, in milliseconds.
    /// </summary>
    public async Task<double> TakeRepairP99MsAsync()
    {
        await _child.SendAsync("repairs");
        return ProcessCost.Read((await _child.ExpectAsync("repairs", SampleTimeout))[2]) / 1e3;
    }

    /// <summary>Of both processes.</summary>
    public double ResidentMb() => _memory[0].Mb + _memory[1].Mb;

    public async Task<Sample> SampleReceiversAsync()
    {
        await _child.SendAsync("sample");
        return Sample.Parse(await _child.ExpectAsync("sample", SampleTimeout));
    }

    public Sample SampleSender()
    {
        ProcessSample.Begin();
        Sample sample = Sample.Parse(string.Create(
            CultureInfo.InvariantCulture,
            $"sent={_maker.Messages} packets={_engine.Counters.Packets} repairs={_engine.Counters.Repairs} "
            + $"beacons={_engine.Counters.Beacons} full={_engine.Counters.WindowFull} "
            + $"datagrams={_engine.DataCounters.Sent} would_block={_engine.DataCounters.WouldBlock} "
            + $"{ProcessSample.Text(_engine.CoreAllocatedBytes, _engine.CoreCounters)}").Split(' '));
        ProcessSample.End();
        return sample;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (ResidentMemory memory in _memory)
        {
            memory.Dispose();
        }

        await _child.DisposeAsync();
        _engine.Dispose();
        _rawSocket?.Dispose();
    }

    private static NodeAddress[] ReadAddresses(string text) =>
        [.. text.Split('/', StringSplitOptions.RemoveEmptyEntries).Select(a => NodeAddress.From(IPEndPoint.Parse(a)))];

    private void OpenRaw(string receivers)
    {
        SocketAddress[] destinations = _plan.RawGroup is { } group
            ? [group.Serialize()]
            : [.. receivers.Split('/', StringSplitOptions.RemoveEmptyEntries).Select(a => IPEndPoint.Parse(a).Serialize())];
        _rawSocket = LabSocket.OpenSender(
            _plan.NamespaceOf(0),
            _plan.AddressOf(0),
            _plan.RawGroup is not null,
            _plan.Options.AreTrainsUsed ? RawPacker.PacketBytesMax : 0);
        var maker = new PieceMaker(_plan.Options.Bytes, _plan.Topics);
        var packer = new RawPacker(maker, _plan.Key is null ? null : new AesGcm(_plan.Key, 16));
        _raw = new RawSender(_rawSocket, destinations, maker, packer, _plan.Options.AreTrainsUsed);
    }

    /// <summary>Waits until the receivers have taken what is left in their sockets; returns how many packets they have.</summary>
    private async Task<double> SettleRawAsync()
    {
        double packets = -1;
        while (true)
        {
            await Task.Delay(WarmUp / 3);
            double now = (await SampleReceiversAsync())["raw_packets"];
            if (now == packets)
            {
                return now;
            }

            packets = now;
        }
    }

    private double SendRaw(TimeSpan duration, double paceBytesS)
    {
        if (_plan.Options.Rate > 0)
        {
            _raw!.RunAtRate(duration, _plan.Options.Rate);
            return 0;
        }

        return _raw!.Run(duration, paceBytesS);
    }

    private async Task<Period> MeasureAsync(TimeSpan duration)
    {
        await Task.Delay(WarmUp);
        // This process's last first and first last: reading the other's answer allocates here.
        Sample receiversBefore = await SampleReceiversAsync();
        // By then the task that read the answer waits for the next one.
        Thread.Sleep(10);
        Sample senderBefore = SampleSender();
        // Not a delay that is awaited: that, and a thread of the pool that comes anew to go on behind it, would be counted.
        Thread.Sleep(duration);
        Sample senderAfter = SampleSender();
        return new Period(senderBefore, senderAfter, receiversBefore, await SampleReceiversAsync());
    }

    private async Task DrainAsync()
    {
        long start = Stopwatch.GetTimestamp();
        while (!await _engine.IsDrainedAsync())
        {
            if (Stopwatch.GetElapsedTime(start) > DrainTimeout)
            {
                throw new InvalidOperationException(
                    $"Not all receivers had all within {DrainTimeout.TotalSeconds} s: {await _engine.DescribeAsync()}.");
            }

            await Task.Delay(10);
        }
    }
}
