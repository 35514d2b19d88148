using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>The host's end of a node's connection: keeps every frame that came.</summary>
internal sealed class HostEnd : ILinkHandler
{
    private readonly List<(ushort Type, byte[] Body)> _frames = [];

    /// <summary>Why the connections ended, as the node said it.</summary>
    public List<string> Ends { get; } = [];

    /// <summary>The types of what came, in order.</summary>
    public IReadOnlyList<MessageType> Types => [.. _frames.Select(f => (MessageType)f.Type)];

    /// <summary>The messages of one type, in order.</summary>
    public IReadOnlyList<T> All<T>()
        where T : class, IMessage<T>
    {
        var all = new List<T>();
        foreach ((ushort type, byte[] body) in _frames)
        {
            if (type == (ushort)T.Type)
            {
                Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(body, out T? message));
                all.Add(message!);
            }
        }

        return all;
    }

    /// <summary>The one message of a type; more or none fail the test.</summary>
    public T Only<T>()
        where T : class, IMessage<T> => Assert.Single(All<T>());

    /// <summary>Forgets what came so far.</summary>
    public void Forget() => _frames.Clear();

    public void OnFrame(ushort type, ReadOnlySpan<byte> body) => _frames.Add((type, body.ToArray()));

    public void OnWritable()
    {
    }

    public void OnClosed(string reason) => Ends.Add(reason);
}
