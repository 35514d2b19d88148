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

    public EventsWorkload(EventsOptions options)
    {
        _options = options;
        _workload = new MatchWorkload(options.Dimensions);
        _ranges = _workload.DrawRanges(options.Boxes);
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

    /// <summary>The point of an event.</summary>
    public RipplePoint PointOf(int number)
    {
        var point = new RipplePoint();
        foreach (NamedValue value in _workload.EventAt(number % MatchWorkload.Events))
        {
            point[value.Name] = AttributeValue.RealOf(value.Value.Key);
        }

        return point;
    }

    /// <summary>The boxes that have an event, by comparing numbers; and the subscribers whose they are.</summary>
    public (int Boxes, int Subscribers) ExpectedOf(int number)
    {
        ReadOnlySpan<double> point = _workload.PointAt(number % MatchWorkload.Events);
        int boxes = 0;
        int subscribers = 0;
        int last = -1;
        for (int box = 0; box < _options.BoxesPerSubscriber * _options.Subscribers; box++)
        {
            bool isIn = true;
            for (int d = 0; isIn && d < point.Length; d++)
            {
                (double low, double high) = _ranges[(box * point.Length) + d];
                isIn = point[d] >= low && point[d] < high;
            }

            if (isIn)
            {
                boxes++;
                subscribers += box / _options.BoxesPerSubscriber == last ? 0 : 1;
                last = box / _options.BoxesPerSubscriber;
            }
        }

        return (boxes, subscribers);
    }

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
