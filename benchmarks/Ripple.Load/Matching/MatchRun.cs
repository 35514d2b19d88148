using System.Diagnostics;
using Ripple.Engine.Core;
using Ripple.Engine.Matching;
using Ripple.Load.Fanout;

namespace Ripple.Load.Matching;

/// <summary>One measurement: the sides in turn, each for a while, in windows of as many events as there are.</summary>
internal sealed class MatchRun
{
    private const int CheckedEvents = 500;
    private const int ScanWindow = 200;
    private const int EventsBetweenChanges = 50;
    private const ulong ChangeSeed = 11;

    private readonly MatchOptions _options;
    private readonly MatchWorkload _workload;
    private readonly BoxIndex _index;
    private readonly BoxScan _scan;
    private readonly BoxId[] _ids;
    private readonly Box[] _spares;
    private readonly Point _point;
    private readonly BoxMatches _matches = new();
    private readonly DeterministicRandom _random = new(ChangeSeed);
    private readonly List<double> _eventsS = [];
    private readonly List<double> _eventsSWithChanges = [];
    private readonly List<double> _scanEventsS = [];
    private readonly List<double> _cEventsS = [];
    private long _found;
    private long _events;
    private long _allocated;
    private long _changes;
    private double _changeSeconds;
    private int _scanned;

    public MatchRun(MatchOptions options)
    {
        _options = options;
        _workload = new MatchWorkload(options.Dimensions);
        (double, double)[] ranges = _workload.DrawRanges(options.Boxes);
        _scan = new BoxScan(ranges, options.Dimensions);
        _index = new BoxIndex(_workload.Space, new BoxIndexOptions { BoxesMax = options.Boxes, BucketsMax = options.Buckets });
        _ids = [.. _workload.MakeBoxes(ranges).Select(Add)];
        _spares = _workload.MakeBoxes(_workload.DrawRanges(options.Boxes));
        _point = new Point(_workload.Space);
        Check();
    }

    public MatchResult Measure(CeilingProgram? ceiling)
    {
        MatchAll();
        double seconds = _options.Seconds / _options.Alternations;
        for (int i = 0; i < _options.Alternations; i++)
        {
            MeasureScan(seconds);
            MeasureIndex(seconds);
            if (ceiling is not null)
            {
                _cEventsS.Add(ceiling.Measure(_options.Boxes));
            }

            MeasureChanges(seconds);
        }

        return new MatchResult
        {
            Boxes = _options.Boxes,
            Dimensions = _options.Dimensions,
            MatchesPerEvent = (double)_found / _events,
            EventsS = Median.Of(_eventsS),
            ScanEventsS = Median.Of(_scanEventsS),
            CEventsS = ceiling is null ? null : Median.Of(_cEventsS),
            BytesPerEvent = (double)_allocated / _events,
            EventsSWithChanges = Median.Of(_eventsSWithChanges),
            ChangesS = _changes / _changeSeconds,
            IndexMb = _index.Bytes / 1e6,
        };
    }

    private BoxId Add(Box box) =>
        _index.TryAdd(box, out BoxId id) ? id : throw new InvalidOperationException($"The index is full at {_index.Count} boxes.");

    private ReadOnlySpan<int> Match(int index)
    {
        if (!_workload.Space.TrySetPoint(_workload.EventAt(index), _point, out string reason))
        {
            throw new InvalidOperationException(reason);
        }

        _index.Match(_point, _matches);
        return _matches.Indexes;
    }

    /// <summary>What is measured finds what the scan finds.</summary>
    private void Check()
    {
        for (int i = 0; i < CheckedEvents; i++)
        {
            var found = Match(i).ToArray().Select(_index.IdOf).ToHashSet();
            if (!found.SetEquals(_scan.Match(_workload.PointAt(i)).ToArray().Select(b => _ids[b])))
            {
                throw new InvalidOperationException($"Event {i}: the index does not find the boxes that the scan finds.");
            }
        }
    }

    private long MatchAll()
    {
        long found = 0;
        for (int i = 0; i < MatchWorkload.Events; i++)
        {
            found += Match(i).Length;
        }

        return found;
    }

    private void MeasureIndex(double seconds)
    {
        long begin = Stopwatch.GetTimestamp();
        do
        {
            long allocated = GC.GetAllocatedBytesForCurrentThread();
            long start = Stopwatch.GetTimestamp();
            long found = MatchAll();
            double took = Stopwatch.GetElapsedTime(start).TotalSeconds;
            _allocated += GC.GetAllocatedBytesForCurrentThread() - allocated;
            _found += found;
            _events += MatchWorkload.Events;
            _eventsS.Add(MatchWorkload.Events / took);
        }
        while (Stopwatch.GetElapsedTime(begin).TotalSeconds < seconds);
    }

    /// <summary>Boxes are replaced at their rate: whatever is due, every few events.</summary>
    private void MeasureChanges(double seconds)
    {
        long begin = Stopwatch.GetTimestamp();
        long changes = 0;
        double elapsed = 0;
        do
        {
            double before = elapsed;
            for (int i = 0; i < MatchWorkload.Events; i += EventsBetweenChanges)
            {
                for (int j = i; j < Math.Min(i + EventsBetweenChanges, MatchWorkload.Events); j++)
                {
                    Match(j);
                }

                elapsed = Stopwatch.GetElapsedTime(begin).TotalSeconds;
                for (; changes < elapsed * _options.ChangesS; changes++)
                {
                    Change();
                }
            }

            elapsed = Stopwatch.GetElapsedTime(begin).TotalSeconds;
            _eventsSWithChanges.Add(MatchWorkload.Events / (elapsed - before));
        }
        while (elapsed < seconds);

        _changes += changes;
        _changeSeconds += elapsed;
    }

    private void Change()
    {
        ref BoxId id = ref _ids[_random.NextInt32(_ids.Length)];
        if (!_index.Remove(id))
        {
            throw new InvalidOperationException($"Box {id} is not in the index.");
        }

        id = Add(_spares[_random.NextInt32(_spares.Length)]);
    }

    private void MeasureScan(double seconds)
    {
        long begin = Stopwatch.GetTimestamp();
        do
        {
            long start = Stopwatch.GetTimestamp();
            for (int i = 0; i < ScanWindow; i++)
            {
                _scan.Match(_workload.PointAt(_scanned++ % MatchWorkload.Events));
            }

            _scanEventsS.Add(ScanWindow / Stopwatch.GetElapsedTime(start).TotalSeconds);
        }
        while (Stopwatch.GetElapsedTime(begin).TotalSeconds < seconds);
    }
}
