using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>The sender of a test region: keeps what aggregates say, by slot, and only raises.</summary>
internal sealed class FakeSender : IAggregateHandler
{
    private readonly AggregateReader _reader = new();
    private int _part;

    /// <summary>The view that positions are read by.</summary>
    public RegionView? View { get; set; }

    public SortedDictionary<(uint Slot, uint Topic), LevelRow> Levels { get; } = [];

    public SortedDictionary<ulong, ulong> Streams { get; } = [];

    /// <summary>
    /// What the first member of each part of the newest view told last of a stream: the least of those that answered, and who did not.
    /// </summary>
    public SortedDictionary<int, (ulong Least, uint[] Silent)> PartStreams { get; } = [];

    public SortedSet<(uint Slot, uint Topic, ulong Release, string Reason)> Rejections { get; } = [];

    public SortedSet<uint> Silent { get; } = [];

    /// <summary>The rank of who led the newest round.</summary>
    public int LastRank { get; private set; }

    public int Aggregates { get; private set; }

    public int Malformed { get; private set; }

    public bool MayGoBack { get; private set; }

    /// <summary>Reads an aggregate of a leader; the bytes of its acknowledgement, 0 when none is due.</summary>
    public int Take(
        ReadOnlySpan<byte> payload,
        RegionView view,
        uint leader,
        Span<byte> ack,
        ulong origin,
        ulong floor,
        AggregateRoute route = default)
    {
        if (!AggregateReader.TryReadView(payload, out ViewNumber number) || number != view.Number)
        {
            return 0;
        }

        if (View?.Number != view.Number)
        {
            PartStreams.Clear();
        }

        View = view;
        Silent.Clear();
        int position = view.PositionOf(leader);
        RegionPart part = position < 0 ? default : view.PartOf(position);
        int rank = LastRank = position - part.First;
        _part = part.Index;
        if (rank >= RoundNumber.LeadersOf(view) || _reader.TryRead(payload, view, part, this, rank) != DecodeStatus.Ok)
        {
            Malformed++;
            return 0;
        }

        Aggregates++;
        return _reader.WriteAck(ack, origin, floor, route);
    }

    public LevelRow Of(uint slot, uint topic) => Levels.GetValueOrDefault((slot, topic));

    public void OnRound(bool isQuiet)
    {
    }

    public void OnSilent(int position) => Silent.Add(View!.Members[position].Slot);

    public void OnStream(ulong origin, ulong minContiguous, int minPosition)
    {
        // Who leads in the place of others does not know what they have.
        if (LastRank == 0)
        {
            Streams[origin] = Math.Max(minContiguous, Streams.GetValueOrDefault(origin));
            PartStreams[_part] = (minContiguous, [.. Silent]);
        }
    }

    public void OnLevels(int position, uint topic, uint generation, ulong received, ulong persisted, ulong applied)
    {
        (uint, uint) key = (View!.Members[position].Slot, topic);
        LevelRow old = Levels.GetValueOrDefault(key);
        if (old.Generation < generation)
        {
            old = new LevelRow(topic, generation, 0, 0, 0);
        }

        if (old.Generation > generation)
        {
            MayGoBack = true;
            return;
        }

        Levels[key] = new LevelRow(
            topic, generation, Math.Max(old.Received, received), Math.Max(old.Persisted, persisted), Math.Max(old.Applied, applied));
    }

    public void OnRejection(int position, uint topic, uint generation, ulong release, string reason) =>
        Rejections.Add((View!.Members[position].Slot, topic, release, reason));
}
