using System.Net;
using System.Net.Sockets;

namespace Ripple.Transports.Running;

/// <summary>
/// Waits with select over all sockets; woken by a datagram that a loopback socket sends to itself. Between sleeps it polls by reporting
/// every socket as readable: reading an empty socket costs less than a select over all.
/// </summary>
internal sealed class PortableWaiter : IWaiter
{
    private const int WakesMax = 64;
    private const long NsPerMs = 1_000_000;
    private const int UsPerMs = 1_000;

    private readonly Socket _wake = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly WaitTargets _targets = new();
    private readonly Dictionary<Socket, IWaitTarget> _bySocket = [];
    private readonly HashSet<Socket> _writeWatched = [];
    private readonly List<Socket> _readable = [];
    private readonly List<Socket> _writable = [];
    private bool _isFresh;

    public PortableWaiter()
    {
        _wake.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        // Connected to itself, so that no other datagrams end a sleep.
        _wake.Connect(_wake.LocalEndPoint!);
        _wake.Blocking = false;
    }

    public int Add(IWaitTarget target)
    {
        _bySocket.Add(target.Socket, target);
        return _targets.Add(target);
    }

    public void Remove(int token)
    {
        if (_targets[token] is { } target)
        {
            _targets.Remove(token);
            _bySocket.Remove(target.Socket);
            _writeWatched.Remove(target.Socket);
        }
    }

    public void WatchWritable(int token, bool isWatched)
    {
        if (_targets[token] is not { } target)
        {
            return;
        }

        if (isWatched)
        {
            _writeWatched.Add(target.Socket);
        }
        else
        {
            _writeWatched.Remove(target.Socket);
        }
    }

    public void Wait(long timeoutNs)
    {
        // Rounded up to milliseconds: with less, some systems do not sleep at all, and the core would spin.
        long timeoutMs = (timeoutNs / NsPerMs) + (timeoutNs % NsPerMs == 0 ? 0 : 1);
        Select(timeoutNs == long.MaxValue ? -1 : (int)Math.Min(int.MaxValue / UsPerMs, timeoutMs) * UsPerMs);
        _isFresh = true;
    }

    public void Poll()
    {
        if (!_isFresh)
        {
            if (_writeWatched.Count > 0)
            {
                Select(0);
            }

            for (int token = 0; token < _targets.End; token++)
            {
                _targets[token]?.OnReady(isReadable: true, isWritable: false);
            }
        }

        _isFresh = false;
    }

    public void Wake()
    {
        try
        {
            // When it is refused for lack of room it is not needed: the ones before it end the sleep.
            _wake.Send([1], SocketFlags.None, out _);
        }
        catch (ObjectDisposedException)
        {
            // No thread sleeps there any more.
        }
    }

    public void Dispose() => _wake.Dispose();

    private void Select(int timeoutUs)
    {
        _readable.Clear();
        _readable.Add(_wake);
        _readable.AddRange(_bySocket.Keys);
        _writable.Clear();
        _writable.AddRange(_writeWatched);
        Socket.Select(_readable, _writable.Count == 0 ? null : _writable, null, timeoutUs);
        foreach (Socket socket in _readable)
        {
            if (ReferenceEquals(socket, _wake))
            {
                DrainWakes();
            }
            else
            {
                _bySocket[socket].OnReady(isReadable: true, isWritable: false);
            }
        }

        foreach (Socket socket in _writable)
        {
            _bySocket[socket].OnReady(isReadable: false, isWritable: true);
        }
    }

    private void DrainWakes()
    {
        Span<byte> one = stackalloc byte[1];
        SocketError error = SocketError.Success;
        for (int i = 0; i < WakesMax && error == SocketError.Success; i++)
        {
            _wake.Receive(one, SocketFlags.None, out error);
        }
    }
}
