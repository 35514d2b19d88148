using Ripple.Benchmarks.Check;
using Ripple.Engine.Core;

namespace Ripple.Benchmarks.Core;

/// <summary>An alarm among 1,000 others, which are due later.</summary>
[BenchmarkCategory(Categories.Core)]
public class AlarmBenchmarks
{
    private const int Others = 1_000;
    private readonly CoreLoop _core = new(new CoreOptions(), seed: 1);
    private Alarm? _alarm;
    private long _runs;

    [GlobalSetup]
    public void SetUp()
    {
        _alarm = new Alarm(() => _runs++);
        for (int i = 0; i < Others; i++)
        {
            _core.Alarms.Schedule(new Alarm(() => { }), long.MaxValue - _core.Random.NextInt32(1_000_000));
        }
    }

    [Benchmark]
    public void ScheduleAndCancel()
    {
        _core.ScheduleIn(_alarm!, 1_000);
        _core.Alarms.Cancel(_alarm!);
    }

    /// <summary>It is scheduled again before it is due, as a time-out is that starts anew.</summary>
    [Benchmark]
    public void Postpone() => _core.ScheduleIn(_alarm!, 1_000_000);

    /// <summary>With a turn of the loop, which runs it.</summary>
    [Benchmark]
    public long ScheduleAndFire()
    {
        _core.ScheduleIn(_alarm!, 1_000);
        _core.DoWork(_core.NowNs + 1_000);
        return _runs;
    }
}
