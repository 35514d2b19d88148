using System.Text;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>The bytes of what a leader tells the host of one round over all members of a view, or of a part of it.</summary>
internal sealed class RingRound(RegionView view, RegionPart? part = null, ulong rank = 0)
{
    private readonly List<(ushort Position, uint Topic, uint Generation, ulong Received, ulong Persisted, ulong Applied)> _levels = [];
    private readonly List<(ulong Origin, ulong MinContiguous, ushort MinPosition, ulong Highest)> _streams = [];
    private readonly List<ushort> _silent = [];
    private readonly List<(ushort Position, uint Topic, uint Generation, ulong Release, string Reason)> _rejections = [];

    public RingRound Level(ushort position, uint topic, uint generation, ulong received, ulong persisted, ulong applied)
    {
        _levels.Add((position, topic, generation, received, persisted, applied));
        return this;
    }

    public RingRound Stream(ulong origin, ulong minContiguous, ushort minPosition, ulong highest)
    {
        _streams.Add((origin, minContiguous, minPosition, highest));
        return this;
    }

    public RingRound Silent(ushort position)
    {
        _silent.Add(position);
        return this;
    }

    public RingRound Rejection(ushort position, uint topic, uint generation, ulong release, string reason)
    {
        _rejections.Add((position, topic, generation, release, reason));
        return this;
    }

    public byte[] Encode()
    {
        var writer = new WireWriter(new byte[1_024]);
        writer.WriteU64(view.Number.Value);
        writer.WriteU64(4 + rank);
        writer.WriteU64(0);
        writer.WriteU16(0);
        writer.WriteU16((ushort)(part?.End ?? view.Members.Length));
        // Not partial, nothing confirmed.
        writer.WriteU8(0);
        writer.WriteU8(0);
        writer.WriteU8((byte)_streams.Count);
        foreach ((ulong origin, ulong minContiguous, ushort minPosition, ulong highest) in _streams)
        {
            writer.WriteU64(origin);
            writer.WriteU64(minContiguous);
            writer.WriteU16(minPosition);
            writer.WriteU64(highest);
            writer.WriteU64(0);
        }

        writer.WriteU8((byte)_levels.Count);
        foreach ((ushort position, uint topic, uint generation, ulong received, ulong persisted, ulong applied) in _levels)
        {
            writer.WriteU32(topic);
            writer.WriteU32(generation);
            writer.WriteU64(received);
            writer.WriteU16(position);
            writer.WriteU16((ushort)(position + 1));
            foreach (ulong value in (ulong[])[received, persisted, applied])
            {
                writer.WriteU8((byte)(received - value));
                writer.WriteU8(1);
            }
        }

        writer.WriteU16((ushort)_silent.Count);
        writer.WriteU8((byte)_silent.Count);
        foreach (ushort position in _silent)
        {
            writer.WriteU16(position);
        }

        writer.WriteU8((byte)_rejections.Count);
        foreach ((ushort position, uint topic, uint generation, ulong release, string reason) in _rejections)
        {
            writer.WriteU16(position);
            writer.WriteU32(topic);
            writer.WriteU32(generation);
            writer.WriteU64(release);
            writer.WriteU8((byte)Encoding.UTF8.GetByteCount(reason));
            writer.WriteBytes(Encoding.UTF8.GetBytes(reason));
        }

        Assert.False(writer.IsOverflow);
        return writer.Written.ToArray();
    }
}
