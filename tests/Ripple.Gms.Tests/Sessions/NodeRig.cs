using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Simulator.Links;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>A node by hand: says only what a test has it say, and keeps what it is sent.</summary>
internal sealed class NodeRig : ILinkHandler
{
    private delegate object Reader(ReadOnlySpan<byte> body);

    private static readonly Dictionary<MessageType, Reader> Readers = MakeReaders();
    private readonly InMemoryLinkPair _link;
    private readonly Action<byte[]> _inject;
    private readonly List<(MessageType Type, object Message)> _frames = [];
    private readonly List<byte[]> _sealed = [];
    private readonly List<(uint KeyEpoch, byte[] Frames)> _packets = [];
    private readonly Dictionary<uint, PacketOpener> _openers = [];
    private readonly Dictionary<uint, PacketSealer> _sealers = [];
    private ulong _heartbeats;
    private ulong _aggregates;

    public NodeRig(int number, LinkPeer peer, InMemoryLinkPair link, Action<byte[]> inject)
    {
        Number = number;
        _link = link;
        _inject = inject;
        link.Right.Handler = this;
        DataAddress = NodeAddress.FromIPv4((10u << 24) | (1u << 16) | (uint)number, 7_001);
        ControlAddress = DataAddress with { Port = 7_002 };
        JoinMessage = new Join(Join.CurrentVersion, "east", peer.Name, [], [peer.Application], DataAddress, ControlAddress, [], 0);
    }

    /// <summary>Its number among the nodes of the test.</summary>
    public int Number { get; }

    public NodeAddress DataAddress { get; }

    public NodeAddress ControlAddress { get; }

    /// <summary>The join of a node that holds nothing and wants its own application; tests change parts of it.</summary>
    public Join JoinMessage { get; }

    /// <summary>The answer to its join, with the view as it has become since; null before.</summary>
    public JoinAccepted? Accepted { get; private set; }

    /// <summary>Why the other side ended the connection; null while it did not.</summary>
    public string? ClosedReason { get; private set; }

    /// <summary>While true, nothing moves on the connection, in either direction.</summary>
    public bool IsHeldUp { get; set; }

    /// <summary>Whether it answers probes of its address, as soon as it can read them.</summary>
    public bool AnswersProbes { get; set; } = true;

    /// <summary>The bytes of the largest datagram that came to its addresses.</summary>
    public int LargestBytes { get; private set; }

    /// <summary>The probes of its address that came.</summary>
    public List<PathAnswer> Probes { get; } = [];

    /// <summary>What kinds of frames came, in order; but for how views are cut, which each node is told.</summary>
    public IReadOnlyList<MessageType> Types =>
        [.. _frames.Select(f => f.Type).Where(t => t is not (MessageType.RegionParts or MessageType.RegionCaching))];

    public IEnumerable<T> All<T>() => _frames.Select(f => f.Message).OfType<T>();

    public T Only<T>() => Assert.Single(All<T>());

    /// <summary>Forgets the frames that came.</summary>
    public void Forget() => _frames.Clear();

    public void Send<T>(T message)
        where T : class, IMessage<T> => Assert.True(_link.Right.TrySend(message), "The link of the test has no room.");

    public void Send(ushort type, byte[] body) => Assert.True(_link.Right.TrySend(type, body), "The link of the test has no room.");

    public void Heartbeat(params LevelRow[] rows) => Send(new Heartbeat(++_heartbeats, default, rows));

    public void Break(string reason) => _link.Break(reason);

    public void Pump()
    {
        if (!IsHeldUp)
        {
            _link.PumpAll();
            AnswerProbes();
        }
    }

    /// <summary>
    /// The host's next message finds no room on the connection: as many frames wait there as it takes, and nothing moves from here on.
    /// </summary>
    public void HoldUpFull()
    {
        IsHeldUp = true;
        byte[] body = new byte[LinkFrame.BodyBytesMax];
        while (_link.Left.SendRoomBytes > LinkFrame.HeaderBytes)
        {
            int bytes = Math.Min(body.Length, _link.Left.SendRoomBytes - LinkFrame.HeaderBytes);
            Assert.True(_link.Left.TrySend((ushort)MessageType.Chunk, body.AsSpan(0, bytes)));
        }
    }

    /// <summary>Sends the host a packet of its region, sealed as this member seals.</summary>
    public void SendDatagram(FrameType type, byte[] payload) => Inject(Seal(type, payload));

    /// <summary>Tells the host a round, and proves that this node tells it.</summary>
    public void SendAggregate(RingRound round) => SendDatagram(FrameType.Aggregate, Prove(round));

    /// <summary>The payload of an aggregate with a proof by this node's own key.</summary>
    public byte[] Prove(RingRound round)
    {
        byte[] payload = [.. new byte[AggregateProof.Bytes], .. round.Encode()];
        JoinAccepted accepted = Accepted!;
        AggregateProof.Write(payload, new MemberKey(accepted.View.RegionId, accepted.Slot, accepted.MemberKey.Span), ++_aggregates);
        return payload;
    }

    /// <summary>Seals as another slot, which every holder of the region's key can.</summary>
    public byte[] SealAs(uint slot, FrameType type, byte[] payload, int number)
    {
        (JoinAccepted accepted, uint own) = (Accepted!, Accepted!.Slot);
        var sealer = new PacketSealer(accepted.View.RegionId, new RegionKey(accepted.KeyEpoch, accepted.Key.Span), slot);
        for (int i = 1; i < number; i++)
        {
            sealer.Seal(new byte[WireLimits.DatagramBytesMax], 0, PacketClass.Control);
        }

        Assert.NotEqual(own, slot);
        return Seal(type, payload, sealer);
    }

    /// <summary>Sends the host these bytes as a datagram.</summary>
    public void Inject(byte[] datagram) => _inject(datagram);

    public byte[] Seal(FrameType type, byte[] payload) => Seal(type, payload, _sealers[_sealers.Keys.Max()]);

    private static byte[] Seal(FrameType type, byte[] payload, PacketSealer sealer)
    {
        byte[] datagram = new byte[WireLimits.DatagramBytesMax];
        var writer = new WireWriter(datagram.AsSpan(PacketHeader.Size, WireLimits.FramesBytesMax));
        int start = FrameWriter.Begin(ref writer, type);
        writer.WriteBytes(payload);
        Assert.True(FrameWriter.End(ref writer, start));
        int length = sealer.Seal(datagram, writer.Position, PacketClass.Control);
        return datagram[..length];
    }

    /// <summary>The releases that came with the host's stream, by the sequence of their packets. Each must fit one packet.</summary>
    public List<(ulong Sequence, ReleaseHeader Header)> Streamed() => [.. StreamedMessages().Select(r => (r.Sequence, r.Message.Header))];

    /// <summary>The messages of these releases.</summary>
    public List<(ulong Sequence, ReleaseMessage Message)> StreamedMessages()
    {
        var releases = new SortedDictionary<ulong, ReleaseMessage>();
        foreach ((_, byte[] frames) in Packets())
        {
            if (StreamPosition.Peek(frames, out StreamPosition position) != DecodeStatus.Ok)
            {
                continue;
            }

            var reader = new FrameReader(frames);
            while (reader.TryNext())
            {
                if (reader.Type == FrameType.Message)
                {
                    Assert.Equal(DecodeStatus.Ok, MessagePart.Read(reader.Payload, out MessagePart part));
                    if (part.Offset > 0 || StreamedValue.IsPart(part.Bytes))
                    {
                        continue;
                    }

                    Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(part.Bytes, out ReleaseMessage? message));
                    releases[position.Sequence] = message!;
                }
            }
        }

        return [.. releases.Select(r => (r.Key, r.Value))];
    }

    /// <summary>The values that came with the host's stream, by their digests: each with its manifest, and the chunks that came.</summary>
    public Dictionary<Digest160, (ContentManifest Manifest, SortedDictionary<int, byte[]> Chunks)> StreamedValues()
    {
        var messages = new SortedDictionary<ulong, byte[]>();
        foreach ((_, byte[] frames) in Packets())
        {
            var reader = new FrameReader(frames);
            while (StreamPosition.IsAt(frames) && reader.TryNext())
            {
                if (reader.Type == FrameType.Message && MessagePart.Read(reader.Payload, out MessagePart part) == DecodeStatus.Ok)
                {
                    messages.TryAdd(part.MessageId, new byte[part.Total]);
                    part.Bytes.CopyTo(messages[part.MessageId].AsSpan((int)part.Offset));
                }
            }
        }

        var values = new Dictionary<Digest160, (ContentManifest Manifest, SortedDictionary<int, byte[]> Chunks)>();
        foreach (byte[] message in messages.Values)
        {
            if (!StreamedValue.TryRead(message, out ValuePart part))
            {
                continue;
            }

            if (part.Index == ValuePart.Manifest)
            {
                Assert.True(ContentManifest.TryRead(part.Bytes, out ContentManifest? manifest));
                values[part.Digest] = (manifest, []);
            }
            else
            {
                Assert.True(values[part.Digest].Manifest.Verify(part.Index, part.Bytes));
                values[part.Digest].Chunks.Add(part.Index, part.Bytes.ToArray());
            }
        }

        return values;
    }

    /// <summary>Asks the host for one packet of its stream again.</summary>
    public void AskAgain(ulong sequence)
    {
        byte[] frame = new byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frame);
        NakFrame.Write(ref writer, Accepted!.HostIncarnation, sequence & ~63UL, [1UL << (int)(sequence & 63)]);
        SendDatagram(FrameType.Nak, writer.Written[FrameReader.HeaderBytes..].ToArray());
    }

    /// <summary>What came to its addresses and opened with a key the host gave it: the epoch of the key, and the frames.</summary>
    public IReadOnlyList<(uint KeyEpoch, byte[] Frames)> Packets()
    {
        foreach (byte[] datagram in _sealed)
        {
            Assert.Equal(PacketHeaderStatus.Ok, PacketHeader.TryRead(datagram, out PacketHeader header));
            if (_openers.TryGetValue(header.KeyEpoch, out PacketOpener? opener)
                && opener.TryOpen(datagram, 0, out _, out ReadOnlySpan<byte> frames) == OpenStatus.Ok
                && !TryTakeProbe(frames))
            {
                _packets.Add((header.KeyEpoch, frames.ToArray()));
            }
        }

        _sealed.Clear();
        return _packets;
    }

    public void OnDatagram(in NodeAddress to, ReadOnlySpan<byte> datagram)
    {
        if (to == DataAddress || to == ControlAddress)
        {
            LargestBytes = Math.Max(LargestBytes, datagram.Length);
            _sealed.Add(datagram.ToArray());
        }
    }

    void ILinkHandler.OnFrame(ushort type, ReadOnlySpan<byte> body)
    {
        object message = Readers[(MessageType)type](body);
        if (message is ViewChange change && change.RegionId == Accepted?.View.RegionId)
        {
            Accepted = Accepted with { View = Accepted.View.Next(change.To, change.RemovedSlots, change.Added) };
            if (change.Added.Any(m => m.Slot == Accepted.Slot))
            {
                // Its own entry ends its join, and is no news of others.
                return;
            }
        }

        _frames.Add(((MessageType)type, message));
        if (message is JoinAccepted accepted)
        {
            Accepted = accepted;
            AddKey(accepted.View.RegionId, accepted.KeyEpoch, accepted.Key);
        }
        else if (message is RegionRekey rekey)
        {
            AddKey(rekey.RegionId, rekey.KeyEpoch, rekey.Key);
        }
    }

    void ILinkHandler.OnWritable()
    {
    }

    void ILinkHandler.OnClosed(string reason) =>
        ClosedReason = reason.Replace("The other side ended the link: ", string.Empty, StringComparison.Ordinal);

    private void AnswerProbes()
    {
        int known = Probes.Count;
        if (Accepted is null || ClosedReason is not null)
        {
            return;
        }

        Packets();
        if (AnswersProbes && Probes.Count > known)
        {
            Send(Probes[^1]);
            _link.PumpAll();
        }
    }

    private bool TryTakeProbe(ReadOnlySpan<byte> frames)
    {
        var reader = new FrameReader(frames);
        if (!reader.TryNext() || reader.Type != FrameType.PathProbe)
        {
            return false;
        }

        var nonce = new WireReader(reader.Payload);
        ulong high = nonce.ReadU64();
        Probes.Add(new PathAnswer(Accepted!.View.RegionId, high, nonce.ReadU64()));
        return true;
    }

    private static Dictionary<MessageType, Reader> MakeReaders()
    {
        var readers = new Dictionary<MessageType, Reader>();
        Add<JoinAccepted>();
        Add<JoinRefused>();
        Add<ViewChange>();
        Add<ViewFull>();
        Add<RegionParts>();
        Add<RegionCaching>();
        Add<ClusterHosts>();
        Add<RegionRekey>();
        Add<HeartbeatReply>();
        Add<StateVector>();
        Add<CatchUpRelease>();
        Add<CatchUpEnd>();
        Add<SnapshotBegin>();
        Add<SnapshotHeader>();
        Add<SnapshotKeys>();
        Add<SnapshotEnd>();
        Add<Body>();
        Add<BodyManifest>();
        Add<Chunk>();
        Add<BodyMissing>();
        Add<DirectDemand>();
        Add<ProofRequest>();
        Add<Goodbye>();
        Add<RegionGroup>();
        Add<PublishResult>();
        Add<HistoryResult>();
        Add<ReadKeyResult>();
        Add<WaitProgress>();
        Add<WaitResult>();
        Add<EmitResult>();
        Add<SubscriptionEnded>();
        Add<EventDelivery>();
        Add<StatusResult>();
        Add<CallResult>();
        return readers;

        void Add<T>()
            where T : class, IMessage<T> => readers.Add(T.Type, static body =>
            {
                Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(body, out T? message));
                return message!;
            });
    }

    private void AddKey(ulong regionId, uint keyEpoch, ReadOnlyMemory<byte> key)
    {
        var opener = new PacketOpener(regionId, new RegionKey(keyEpoch, key.Span));
        opener.AllowSlot(0);
        _openers[keyEpoch] = opener;
        _sealers[keyEpoch] = new PacketSealer(regionId, new RegionKey(keyEpoch, key.Span), Accepted!.Slot);
    }
}
