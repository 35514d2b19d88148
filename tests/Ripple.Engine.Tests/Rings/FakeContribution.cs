using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

/// <summary>What a member of a test ring has: set by the test.</summary>
internal sealed class FakeContribution : IRingContribution
{
    public List<StreamProgress> Streams { get; } = [];

    public List<LevelRow> Topics { get; } = [];

    public List<RejectionRow> Rejections { get; } = [];

    public List<(ulong Origin, ulong Floor)> Floors { get; } = [];

    public int StreamCount => Streams.Count;

    public int TopicCount => Topics.Count;

    public int RejectionCount => Rejections.Count;

    public StreamProgress StreamAt(int index) => Streams[index];

    public LevelRow TopicAt(int index) => Topics[index];

    public RejectionRow RejectionAt(int index) => Rejections[index];

    public void OnFloor(ulong origin, ulong floor) => Floors.Add((origin, floor));

    public void Set(uint topic, ulong received, ulong persisted, ulong applied, uint generation = 1)
    {
        var row = new LevelRow(topic, generation, received, persisted, applied);
        int index = Topics.FindIndex(t => t.Topic == topic);
        if (index < 0)
        {
            Topics.Add(row);
        }
        else
        {
            Topics[index] = row;
        }
    }
}
