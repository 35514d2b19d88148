using Ripple.Engine.Core;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

/// <summary>A sink that a test pulls by hand.</summary>
internal sealed class HandSink : IDatagramSink
{
    private readonly List<(PacketClass Class, IDatagramFeed Feed)> _feeds = [];
    private readonly byte[] _scratch = new byte[WireLimits.DatagramBytesMax];

    public int PacketBytes { get; private set; }

    public void Register(IDatagramFeed feed, PacketClass packetClass)
    {
        if (!_feeds.Exists(f => ReferenceEquals(f.Feed, feed)))
        {
            _feeds.Add((packetClass, feed));
        }
    }

    public void Unregister(IDatagramFeed feed) => _feeds.RemoveAll(f => ReferenceEquals(f.Feed, feed));

    public bool TryPull(out NodeAddress to, out byte[] datagram)
    {
        while (_feeds.Count > 0)
        {
            (PacketClass Class, IDatagramFeed Feed) first = _feeds.MinBy(f => f.Class);
            var slot = new DatagramSlot(_scratch);
            if (first.Feed.TryPull(ref slot))
            {
                to = slot.To;
                datagram = slot.Bytes.ToArray();
                PacketBytes = slot.PacketBytes;
                return true;
            }

            _feeds.Remove(first);
        }

        to = default;
        datagram = [];
        return false;
    }
}

/// <summary>So many packets of one byte, the number of the pull.</summary>
internal sealed class CountedFeed : IFrameFeed
{
    public int Left { get; set; }

    public int Pulls { get; private set; }

    public int PullFrames(Span<byte> frames)
    {
        Pulls++;
        if (Left == 0)
        {
            return 0;
        }

        Left--;
        frames[0] = (byte)Pulls;
        return 1;
    }
}
