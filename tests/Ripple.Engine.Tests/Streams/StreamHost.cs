using Ripple.Engine.Caching;
using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

/// <summary>The sending side: one stream from a queue of messages to the members of a view.</summary>
internal sealed class StreamHost : IStreamSource, IDatagramHandler, IDisposable
{
    public const ulong Origin = 77;
    public const ulong RegionId = 5;
    private readonly Queue<(uint Topic, byte[] Message)> _messages = [];
    private readonly Queue<(uint Topic, byte[] Message)> _bulk = [];
    private uint _lastSlot;

    public StreamHost(StreamNetwork network, StreamOptions? options = null)
    {
        Network = network;
        DataPort = network.Open(this);
        ControlPort = network.Open(this);
        DataSink = network.SinkOf(DataPort);
        ControlSink = network.SinkOf(ControlPort);
        Output = new RegionOutput(network.Core, DataSink, ControlSink);
        Output.SetSealer(Sealer);
        Options = options ?? StreamOptions.Default;
        Sender = new StreamSender(network.Core, Origin, this, Output, Options) { OnStalled = () => OnStalled?.Invoke() };
        View = new RegionView(RegionId, new ViewNumber(1, 1), []);
    }

    public StreamNetwork Network { get; }

    public StreamNetwork.Port DataPort { get; }

    public StreamNetwork.Port ControlPort { get; }

    public IDatagramSink DataSink { get; }

    public IDatagramSink ControlSink { get; }

    public RegionOutput Output { get; }

    public CopySealer Sealer { get; } = new();

    public StreamOptions Options { get; }

    public StreamSender Sender { get; }

    public RegionView View { get; private set; }

    public Action? OnStalled { get; set; }

    /// <summary>How many members keep a packet for others. Default none.</summary>
    public int CacheOwners { get; init; }

    public CachingOptions Caching { get; init; } = CachingOptions.Default;

    public List<StreamMember> Members { get; } = [];

    /// <summary>Adds members in one view, each owed what is sent from now on.</summary>
    public StreamMember[] Join(int count, StreamOptions? options = null)
    {
        ulong first = Sender.NextSequence;
        var joined = new StreamMember[count];
        for (int i = 0; i < count; i++)
        {
            joined[i] = new StreamMember(this, ++_lastSlot, first, options ?? Options);
        }

        ChangeView([], joined);
        return joined;
    }

    public StreamMember Join() => Join(1)[0];

    public void Remove(StreamMember member) => ChangeView([member.Slot], []);

    public void Queue(uint topic, byte[] message) => _messages.Enqueue((topic, message));

    /// <summary>A message that has time.</summary>
    public void QueueBulk(uint topic, byte[] message) => _bulk.Enqueue((topic, message));

    public void Send(uint topic, byte[] message)
    {
        Queue(topic, message);
        Sender.OnReady();
    }

    /// <summary>What the ring would tell: the least that all members of the present view have.</summary>
    public void Aggregate()
    {
        if (Members.Count > 0)
        {
            Sender.OnAggregate(View.Number, Members.Min(m => m.Receiver.Contiguous));
            Members.ForEach(m => m.Repairer.OnFloor(Sender.Floor));
        }
    }

    public bool TryNext(out uint topic, out ReadOnlyMemory<byte> message)
    {
        if (!_messages.TryDequeue(out (uint Topic, byte[] Message) next))
        {
            topic = 0;
            message = default;
            return false;
        }

        topic = next.Topic;
        message = next.Message;
        return true;
    }

    bool IStreamSource.HasBulk => _bulk.Count > 0;

    bool IStreamSource.TryNextBulk(out uint topic, out ReadOnlyMemory<byte> message)
    {
        (topic, byte[] next) = _bulk.Dequeue();
        message = next;
        return true;
    }

    public void OnDatagram(Span<byte> datagram)
    {
        var reader = new FrameReader(CopySealer.Open(datagram));
        if (!reader.TryNext() || reader.Type != FrameType.Nak)
        {
            throw new InvalidOperationException("A member sent something that is no request for repair.");
        }

        // The mark stands for the sealer's member slot.
        foreach (StreamMember member in Members)
        {
            if (member.Slot == datagram[4])
            {
                Sender.OnNak(member.DataPort.LocalAddress, member.ControlPort.LocalAddress, reader.Payload);
                return;
            }
        }
    }

    public void Dispose()
    {
        Sender.Dispose();
        Output.Dispose();
        foreach (StreamMember member in Members)
        {
            member.Dispose();
        }
    }

    private void ChangeView(uint[] removed, StreamMember[] added)
    {
        View = View.Next(View.Number.Next(), removed, [.. added.Select(m => m.AsRegionMember())]);
        Members.RemoveAll(m => removed.Contains(m.Slot));
        Members.AddRange(added);
        Sender.OnView(View);
        Output.SetDestinations(View);
        Members.ForEach(m => m.Repairer.Owners.OnView(View));
    }
}
