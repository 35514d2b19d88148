namespace Ripple.Engine.Core;

/// <summary>What a control connection calls, on the core thread. After <see cref="OnClosed"/>, or after the owner closed the link, nothing more is called.</summary>
public interface IControlLinkHandler
{
    /// <summary>A frame came. The body is lent for the call.</summary>
    void OnFrame(ushort type, ReadOnlySpan<byte> body);

    /// <summary>The send buffer is at least half free, after it had refused a frame.</summary>
    void OnWritable();

    /// <summary>The connection is gone, by the other side or by a fault.</summary>
    void OnClosed(string reason);
}
