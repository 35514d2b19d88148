using Ripple.Engine.Links;

namespace Ripple.Testing.Links;

/// <summary>One end of an <see cref="InMemoryLinkPair"/>; follows the contract of <see cref="ILink"/> like the real link.</summary>
internal sealed class InMemoryLink : ILink
{
    private readonly Queue<(ushort Type, byte[] Body)> _waiting = [];
    private readonly int _bytesMax;
    private int _waitingBytes;
    private bool _isHeld;
    private bool _wantsRoom;
    // This end neither sends nor receives anymore.
    private bool _isOver;
    // The reason to give the other end after the queued frames; null if there is none.
    private string? _goodbye;
    private string? _broken;

    internal InMemoryLink(LinkPeer peer, int bytesMax)
    {
        Peer = peer;
        _bytesMax = bytesMax;
    }

    /// <inheritdoc/>
    public LinkPeer Peer { get; }

    /// <inheritdoc/>
    public ILinkHandler? Handler { get; set; }

    /// <inheritdoc/>
    public int SendRoomBytes => _isOver ? 0 : _bytesMax - _waitingBytes;

    /// <summary>True after this end was closed, or its handler was notified of the end.</summary>
    public bool IsClosed => _isOver;

    /// <inheritdoc/>
    public bool TrySend(ushort type, ReadOnlySpan<byte> body)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(type, LinkFrame.FirstProtocolType);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(body.Length, LinkFrame.BodyBytesMax);
        int bytes = LinkFrame.HeaderBytes + body.Length;
        if (_isOver || _broken is not null)
        {
            return false;
        }

        if (_waitingBytes + bytes > _bytesMax)
        {
            _wantsRoom = true;
            return false;
        }

        _waiting.Enqueue((type, body.ToArray()));
        _waitingBytes += bytes;
        return true;
    }

    /// <inheritdoc/>
    public void Hold() => _isHeld = true;

    /// <inheritdoc/>
    public void GoOn() => _isHeld = false;

    /// <inheritdoc/>
    public void Close(string reason)
    {
        if (!_isOver)
        {
            _isOver = true;
            Handler = null;
            _goodbye = reason;
        }
    }

    internal void Break(string reason)
    {
        _waiting.Clear();
        _waitingBytes = 0;
        _goodbye = null;
        _broken = reason;
    }

    internal int Deliver(InMemoryLink to, int framesMax)
    {
        int callbacks = 0;
        for (int frames = Math.Min(_waiting.Count, framesMax); frames > 0 && _waiting.Count > 0 && !to._isHeld; frames--)
        {
            (ushort type, byte[] body) = _waiting.Dequeue();
            _waitingBytes -= LinkFrame.HeaderBytes + body.Length;
            if (!to._isOver)
            {
                to.Handler?.OnFrame(type, body);
                callbacks++;
            }
        }

        if (_wantsRoom && !_isOver && _broken is null && _waitingBytes <= _bytesMax / 2)
        {
            _wantsRoom = false;
            Handler?.OnWritable();
            callbacks++;
        }

        if (_waiting.Count == 0 && _goodbye is not null && !to._isHeld)
        {
            callbacks += to.TakeEnd($"The other side ended the link: {_goodbye}");
            _goodbye = null;
        }

        return callbacks + (_broken is null ? 0 : TakeEnd(_broken));
    }

    private int TakeEnd(string reason)
    {
        if (_isOver || _isHeld)
        {
            return 0;
        }

        _isOver = true;
        ILinkHandler? handler = Handler;
        Handler = null;
        handler?.OnClosed(reason);
        return 1;
    }
}
