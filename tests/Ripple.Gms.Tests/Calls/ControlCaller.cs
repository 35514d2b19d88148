using System.Text;
using Ripple.Engine.Frontier;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Testing.Links;

namespace Ripple.Gms.Tests.Calls;

/// <summary>One connection to a <see cref="CallRig"/>, by hand: sends control frames, and decodes what is answered.</summary>
internal sealed class ControlCaller : ILinkHandler
{
    private readonly CallRig _rig;
    private readonly InMemoryLinkPair _link;
    private readonly List<(ushort Type, byte[] Body)> _frames = [];
    private uint _lastCall;
    private bool _isStopped;

    public ControlCaller(CallRig rig, InMemoryLinkPair link)
    {
        _rig = rig;
        _link = link;
        _link.Right.Handler = this;
    }

    /// <summary>The number of the node whose connection it is.</summary>
    public int Number { get; init; }

    /// <summary>Why the host ended the connection; null while it goes on.</summary>
    public string? ClosedBecause { get; private set; }

    /// <summary>A number for the next call.</summary>
    public uint NextCall() => ++_lastCall;

    /// <summary>Puts a message on the connection; the host takes it when the rig runs.</summary>
    public void Send<T>(T message)
        where T : class, IMessage<T> => Assert.True(_link.Right.TrySend(message), "The connection is full: let the rig run.");

    /// <summary>What came of one type since it was asked last.</summary>
    public List<T> Take<T>()
        where T : class, IMessage<T>
    {
        var taken = new List<T>();
        foreach ((ushort type, byte[] body) in _frames.Where(f => f.Type == (ushort)T.Type))
        {
            Assert.Equal(Ripple.Engine.Wire.DecodeStatus.Ok, MessageCodec.TryRead(body, out T? message));
            taken.Add(message!);
        }

        _frames.RemoveAll(f => f.Type == (ushort)T.Type);
        return taken;
    }

    /// <summary>Lets the rig run; the only answer of a type.</summary>
    public T Answer<T>()
        where T : class, IMessage<T>
    {
        _rig.Run();
        return Assert.Single(Take<T>());
    }

    /// <summary>Sends the beginning of a publish, and its values unless they are held back; the call's number.</summary>
    public uint BeginPublish(
        IEnumerable<(string Key, string? Value)> changes,
        bool withParts = true,
        Guid? id = null,
        ulong expected = PublishBegin.AnyRelease,
        string application = CallRig.Shop,
        string note = "",
        uint? call = null)
    {
        uint number = call ?? NextCall();
        (string Key, byte[]? Value)[] encoded = [.. changes.Select(c => (c.Key, c.Value is null ? null : Encoding.UTF8.GetBytes(c.Value)))];
        PublishKey[] keys = [.. encoded.Select(c => new PublishKey(c.Key, c.Value is null, (uint)(c.Value?.Length ?? 0)))];
        Send(new PublishBegin(number, application, id ?? Guid.NewGuid(), expected, note, "", keys));
        foreach ((_, byte[]? value) in encoded)
        {
            if (withParts && value is { Length: > 0 })
            {
                Send(new PublishPart(number, value));
            }
        }

        return number;
    }

    /// <summary>Publishes one key; what was answered.</summary>
    public PublishResult Publish(
        string key,
        string? value,
        Guid? id = null,
        ulong expected = PublishBegin.AnyRelease,
        string application = CallRig.Shop,
        string note = "")
    {
        BeginPublish([(key, value)], true, id, expected, application, note);
        return Answer<PublishResult>();
    }

    /// <summary>Rolls back; what was answered.</summary>
    public PublishResult Rollback(
        ulong toRelease, Guid? id = null, ulong expected = PublishBegin.AnyRelease, string application = CallRig.Shop, string note = "")
    {
        Send(new Rollback(NextCall(), application, id ?? Guid.NewGuid(), toRelease, expected, note));
        return Answer<PublishResult>();
    }

    /// <summary>As a node: says what it has, and what it rejects, of the first application.</summary>
    public void Report(ulong applied, params (ulong Release, string Reason)[] rejected)
    {
        Send(new Report(
            applied == 0 ? [] : [new LevelRow(CallRig.ShopTopic, 1, applied, applied, applied)],
            [.. rejected.Select(r => new RejectionRow(CallRig.ShopTopic, 1, r.Release, r.Reason))]));
        _rig.Run();
    }

    /// <summary>The connection breaks.</summary>
    public void Break()
    {
        _link.Break("it broke");
        _rig.Run();
    }

    /// <summary>From here on it takes nothing: what it sends arrives, and the host's next message finds no room.</summary>
    public void Stop()
    {
        _isStopped = true;
        byte[] body = new byte[LinkFrame.BodyBytesMax];
        while (_link.Left.SendRoomBytes > LinkFrame.HeaderBytes)
        {
            int bytes = Math.Min(body.Length, _link.Left.SendRoomBytes - LinkFrame.HeaderBytes);
            Assert.True(_link.Left.TrySend((ushort)MessageType.Chunk, body.AsSpan(0, bytes)));
        }
    }

    /// <summary>It takes again.</summary>
    public void GoOn() => _isStopped = false;

    internal void Pump()
    {
        if (_isStopped)
        {
            _link.Right.Deliver(_link.Left, int.MaxValue);
        }
        else
        {
            _link.PumpAll();
        }
    }

    void ILinkHandler.OnFrame(ushort type, ReadOnlySpan<byte> body) => _frames.Add((type, body.ToArray()));

    void ILinkHandler.OnWritable()
    {
    }

    void ILinkHandler.OnClosed(string reason) => ClosedBecause = reason;
}
