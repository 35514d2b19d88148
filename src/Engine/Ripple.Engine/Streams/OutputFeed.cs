using Ripple.Engine.Core;
using Ripple.Engine.Stack;

namespace Ripple.Engine.Streams;

/// <summary>One feed of a region as its sink sees it. Keeps the intent to send while there is no key or nobody to send to.</summary>
internal abstract class OutputFeed(IDatagramSink sink, PacketClass packetClass, object source) : IDatagramFeed
{
    private bool _isClosed;

    public object Source { get; } = source;

    protected PacketClass PacketClass { get; } = packetClass;

    /// <summary>Set when the feed was asked and could not send for a reason that the region's output knows the end of.</summary>
    protected bool IsWaiting { get; set; }

    public void Register()
    {
        if (!_isClosed)
        {
            sink.Register(this, PacketClass);
        }
    }

    public void Resume()
    {
        if (IsWaiting)
        {
            IsWaiting = false;
            Register();
        }
    }

    public virtual void Close()
    {
        _isClosed = true;
        sink.Unregister(this);
    }

    public abstract bool TryPull(ref DatagramSlot slot);
}
