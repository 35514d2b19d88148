using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

/// <summary>What a member of a test ring has: set by the test.</summary>
internal sealed class FakeContribution : IRingContribution
{
    public List<StreamProgress> Streams { get; } = [];

    private readonly SortedList<uint, LevelRow> _topics = [];
    private readonly SortedSet<uint> _changed = [];

    public IList<LevelRow> Topics => _topics.Values;

    /// <summary>How often the levels of a topic were read.</summary>
    public long Reads { get; private set; }

    public List<RejectionRow> Rejections { get; } = [];

    public List<(ulong Origin, ulong Floor)> Floors { get; } = [];

    public int StreamCount => Streams.Count;

    public int TopicCount => Topics.Count;

    public int RejectionCount => Rejections.Count;

    public StreamProgress StreamAt(int index) => Streams[index];

    public LevelRow TopicAt(int index)
    {
        Reads++;
        return _topics.GetValueAtIndex(index);
    }

    public bool TryTakeChanged(out LevelRow row)
    {
        Reads++;
        row = default;
        if (_changed.Count == 0)
        {
            return false;
        }

        uint topic = _changed.Min;
        _changed.Remove(topic);
        row = _topics[topic];
        return true;
    }

    public RejectionRow RejectionAt(int index) => Rejections[index];

    public void OnFloor(ulong origin, ulong floor) => Floors.Add((origin, floor));

    /// <summary>What the member has of a topic; the default for nothing.</summary>
    public LevelRow Of(uint topic) => _topics.GetValueOrDefault(topic);

    public void Set(uint topic, ulong received, ulong persisted, ulong applied, uint generation = 1)
    {
        var row = new LevelRow(topic, generation, received, persisted, applied);
        if (row != Of(topic))
        {
            _topics[topic] = row;
            _changed.Add(topic);
        }
    }
}
