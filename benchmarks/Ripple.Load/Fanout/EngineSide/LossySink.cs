using Ripple.Engine.Core;
using Ripple.Engine.Stack;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>
/// Loses a share of the packets on their way to the socket, each by itself, also those of a train. Core thread; disposed of after its feeds
/// and before the sink below.
/// </summary>
internal sealed class LossySink(CoreLoop core, IDatagramSink lower, DeterministicRandom random, double share)
    : IDatagramSink, IDatagramFeed, IDisposable
{
    // A share of one must not keep the core inside one call.
    private const int PullsMax = 256;
    private readonly FeedQueue _feeds = new();
    private Alarm? _again;
    private PacketClass _lastClass = PacketClass.Data;

    /// <summary>First transmissions that were lost. Any thread.</summary>
    public long Lost { get; private set; }

    public void Register(IDatagramFeed feed, PacketClass packetClass)
    {
        _feeds.Add(feed, packetClass);
        _lastClass = packetClass;
        lower.Register(this, packetClass);
    }

    public void Unregister(IDatagramFeed feed) => _feeds.Remove(feed);

    public bool TryPull(ref DatagramSlot slot)
    {
        for (int i = 0; i < PullsMax; i++)
        {
            slot.PacketBytes = 0;
            if (!_feeds.TryPull(ref slot))
            {
                return false;
            }

            if (TryKeep(ref slot))
            {
                return true;
            }
        }

        // All of these were lost, and there may be more: in another turn.
        _again ??= new Alarm(() => lower.Register(this, _lastClass));
        core.Alarms.ScheduleNoLater(_again, core.NowNs + 1);
        return false;
    }

    public void Dispose()
    {
        if (_again is not null)
        {
            core.Alarms.Cancel(_again);
        }

        lower.Unregister(this);
    }

    /// <summary>Takes out what is lost; false when nothing is left.</summary>
    private bool TryKeep(ref DatagramSlot slot)
    {
        ReadOnlySpan<byte> bytes = slot.Bytes;
        int packetBytes = slot.IsTrain ? slot.PacketBytes : bytes.Length;
        int kept = 0;
        bool isWhole = true;
        for (int offset = 0; offset < bytes.Length; offset += packetBytes)
        {
            ReadOnlySpan<byte> packet = bytes.Slice(offset, Math.Min(packetBytes, bytes.Length - offset));
            bool isLost = random.NextBool(share);
            if (isLost && isWhole)
            {
                // The bytes may belong to the feed, which may send them to others too.
                bytes[..offset].CopyTo(slot.Scratch);
                isWhole = false;
            }
            else if (!isLost && !isWhole)
            {
                packet.CopyTo(slot.Scratch[kept..]);
            }

            kept += isLost ? 0 : packet.Length;
            Lost += isLost && (packet[PacketLayout.ClassOffset] & PacketLayout.ClassMask) == (int)PacketClass.Data ? 1 : 0;
        }

        slot.Bytes = isWhole ? bytes : slot.Scratch[..kept];
        return kept > 0;
    }
}
