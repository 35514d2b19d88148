using Ripple.Engine.Core;
using Ripple.Engine.Stack;

namespace Ripple.Engine.Streams;

/// <summary>One feed of a region as its sink sees it. Remembers the intent to send while there is no key or no destination.</summary>
internal abstract class OutputFeed(IDatagramSink sink, PacketClass packetClass, object source) : IDatagramFeed
{
    private bool _isClosed;

    public object Source { get; } = source;

    protected PacketClass PacketClass { get; } = packetClass;

    /// <summary>
    /// Set when the feed was asked but could not send for want of a key or a destination; the region's output resumes it.
    /// </summary>
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
