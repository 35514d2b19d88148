using System.Buffers.Binary;
using Ripple.Engine.Matching;
using Ripple.Load.Matching;

namespace Ripple.Load.Events;

/// <summary>
/// The boxes and events of BlueDove's workload, the same in every process: who emits knows who must get what without asking.
/// </summary>
internal sealed class EventsWorkload
{
    /// <summary>The bytes of a payload: the event's number, and when it was emitted in ticks of the machine's clock.</summary>
    public const int PayloadBytes = 2 * sizeof(long);

    private readonly MatchWorkload _workload;
    private readonly (double Low, double High)[] _ranges;
    private readonly EventsOptions _options;
    private readonly Lazy<BoxScan> _scan;

    public EventsWorkload(EventsOptions options)
    {
        _options = options;
        _workload = new MatchWorkload(options.Dimensions);
        _ranges = _workload.DrawRanges(options.Boxes);
        _scan = new(() => ScanOf(0, options.BoxesInAll));
    }

    /// <summary>The space's text.</summary>
    public string SpaceText => string.Join(' ', _workload.Space.Dimensions.Select(d => $"{d.Name}:real:0..1000"));

    /// <summary>Sets the ranges of a box.</summary>
    public void Set(RippleBox box, int number)
    {
        for (int d = 0; d < _options.Dimensions; d++)
        {
            (double low, double high) = _ranges[(number * _options.Dimensions) + d];
            box.Where(_workload.Space.Dimensions[d].Name, low, high);
        }
    }

    /// <summary>The point of an event; also of one below 0, which is emitted before anything is measured.</summary>
    public RipplePoint PointOf(int number)
    {
        var point = new RipplePoint();
        foreach (NamedValue value in _workload.EventAt(Math.Abs(number) % MatchWorkload.Events))
        {
            point[value.Name] = AttributeValue.RealOf(value.Value.Key);
        }

        return point;
    }

    /// <summary>The same as numbers.</summary>
    public ReadOnlySpan<double> NumbersOf(int number) => _workload.PointAt(Math.Abs(number) % MatchWorkload.Events);

    /// <summary>What finds the boxes that have an event, of so many from the first on.</summary>
    public BoxScan ScanOf(int firstBox, int boxes) =>
        new(_ranges[(firstBox * _options.Dimensions)..((firstBox + boxes) * _options.Dimensions)], _options.Dimensions);

    /// <summary>The boxes that have an event, by comparing numbers, in order. One thread.</summary>
    public int[] BoxesOf(int number) => [.. _scan.Value.Match(NumbersOf(number))];

    /// <summary>The subscribers whose these boxes are.</summary>
    public int SubscribersOf(IEnumerable<int> boxes) => boxes.Select(b => b / _options.BoxesPerSubscriber).Distinct().Count();

    public static byte[] Payload(long number, long ticks)
    {
        byte[] payload = new byte[PayloadBytes];
        BinaryPrimitives.WriteInt64LittleEndian(payload, number);
        BinaryPrimitives.WriteInt64LittleEndian(payload.AsSpan(sizeof(long)), ticks);
        return payload;
    }

    public static (long Number, long Ticks) Read(ReadOnlySpan<byte> payload) =>
        (BinaryPrimitives.ReadInt64LittleEndian(payload), BinaryPrimitives.ReadInt64LittleEndian(payload[sizeof(long)..]));
}
