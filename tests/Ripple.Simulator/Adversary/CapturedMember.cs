using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulator.Adversary;

/// <summary>
/// What an attacker knows: the memory of the member it captured, and the datagrams and frames that reach or leave that member. Nothing is
/// read from any other process. Kept after the member is expelled.
/// </summary>
internal sealed class CapturedMember(SimulatedClient client, string application)
{
    private const int SentFramesMax = 64;
    private readonly SortedDictionary<(uint KeyEpoch, uint Slot, PacketClass Class), ulong> _newest = [];
    private readonly List<(ushort Type, byte[] Body)> _sentFrames = [];
    private JoinAccepted? _accepted;

    /// <summary>The captured client.</summary>
    public SimulatedClient Client => client;

    /// <summary>The application it belongs to.</summary>
    public string Application => application;

    /// <summary>The host's answer to its last join; null before the first.</summary>
    public JoinAccepted? Accepted
    {
        get
        {
            if (client.Accepted is { } accepted && !ReferenceEquals(accepted, _accepted))
            {
                _accepted = accepted;
                KeyEpoch = accepted.KeyEpoch;
                Key = accepted.Key;
                View = accepted.View;
            }

            View = client.Node?.View ?? View;
            return _accepted;
        }
    }

    /// <summary>The newest key epoch it was given.</summary>
    public uint KeyEpoch { get; private set; }

    /// <summary>The newest key it was given.</summary>
    public ReadOnlyMemory<byte> Key { get; private set; }

    /// <summary>The newest view it was in.</summary>
    public RegionView? View { get; private set; }

    /// <summary>Its control connection; null while it has none.</summary>
    public ILink? Link => client.Machine.IsRunning ? client.Node?.Link : null;

    /// <summary>What it has received of its application.</summary>
    public ApplicationState? Held { get; private set; }

    /// <summary>The control frames it sent, the newest last; a few dozen.</summary>
    public IReadOnlyList<(ushort Type, byte[] Body)> SentFrames => _sentFrames;

    /// <summary>The topic of its application.</summary>
    public uint Topic => _accepted?.Topics.FirstOrDefault(t => t.Application == application)?.Topic ?? 0;

    /// <summary>The newest sequence of the host's stream it knows of.</summary>
    public ulong Sequence { get; private set; }

    /// <summary>The newest message number it saw in the host's stream; 0 for none.</summary>
    public ulong MessageId { get; private set; }

    /// <summary>The region's multicast group, as the host offered it; none where it did not.</summary>
    public NodeAddress Group { get; private set; }

    /// <summary>The other members of its newest view.</summary>
    public IReadOnlyList<RegionMember> Others => _accepted is { } accepted && View is { } view
        ? [.. view.Members.Where(m => m.Slot != accepted.Slot)]
        : [];

    /// <summary>The newest counter seen of a slot and class under the newest key; 0 for none.</summary>
    public ulong NewestOf(uint slot, PacketClass packetClass) => _newest.GetValueOrDefault((KeyEpoch, slot, packetClass));

    /// <summary>Looks into the member's own memory.</summary>
    public void Look()
    {
        _ = Accepted;
        if (client.Node is not { } node || !client.Machine.IsRunning)
        {
            return;
        }

        Held = node.Find(application)?.Received ?? Held;
        Sequence = node.Region?.Receiver.Highest ?? Sequence;
    }

    /// <summary>A datagram that reached or left the member. What its key does not open was damaged on the way, and tells nothing.</summary>
    public void OnDatagram(ReadOnlySpan<byte> datagram)
    {
        if (PacketHeader.TryRead(datagram, out PacketHeader header) != PacketHeaderStatus.Ok
            || header.KeyEpoch != KeyEpoch
            || Key.IsEmpty)
        {
            return;
        }

        using var key = new RegionKey(KeyEpoch, Key.Span);
        byte[] copy = datagram.ToArray();
        if (key.TryOpen(header, copy))
        {
            (uint, uint, PacketClass) counter = (header.KeyEpoch, header.Slot, header.Class);
            _newest[counter] = Math.Max(header.Number, _newest.GetValueOrDefault(counter));
            ReadMessages(copy.AsSpan(PacketHeader.Size..^PacketHeader.TagSize));
        }
    }

    /// <summary>A genuine frame of the member.</summary>
    public void OnSentFrame(ushort type, ReadOnlySpan<byte> body)
    {
        if (_sentFrames.Count == SentFramesMax)
        {
            _sentFrames.RemoveAt(0);
        }

        _sentFrames.Add((type, body.ToArray()));
    }

    /// <summary>A frame that reached the member: keys change by frames.</summary>
    public void OnFrame(ushort type, ReadOnlySpan<byte> body)
    {
        if ((MessageType)type == MessageType.RegionRekey
            && MessageCodec.TryRead(body, out RegionRekey? rekey) == DecodeStatus.Ok
            && rekey!.RegionId == Accepted?.View.RegionId)
        {
            KeyEpoch = rekey.KeyEpoch;
            Key = rekey.Key;
        }
        else if ((MessageType)type == MessageType.RegionGroup
            && MessageCodec.TryRead(body, out RegionGroup? group) == DecodeStatus.Ok
            && group!.RegionId == Accepted?.View.RegionId)
        {
            Group = group.Group;
        }
    }

    private void ReadMessages(ReadOnlySpan<byte> frames)
    {
        var reader = new FrameReader(frames);
        while (reader.TryNext())
        {
            if (reader.Type == FrameType.Message && MessagePart.Read(reader.Payload, out MessagePart part) == DecodeStatus.Ok)
            {
                MessageId = Math.Max(MessageId, part.MessageId);
            }
        }
    }
}
