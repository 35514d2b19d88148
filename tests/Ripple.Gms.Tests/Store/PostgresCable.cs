using System.Net.Sockets;

namespace Ripple.Gms.Tests.Store;

/// <summary>
/// A way to a server's socket that a test can cut and mend, while others still reach the server: a Unix socket in a directory of its own.
/// </summary>
internal sealed class PostgresCable : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("ripple-cable-").FullName;
    private readonly string _server;
    private readonly Lock _lock = new();
    private readonly List<Socket> _sockets = [];
    private Socket? _listener;

    /// <param name="serverSocket">The file of the server's socket.</param>
    public PostgresCable(string serverSocket)
    {
        _server = serverSocket;
        Mend();
    }

    /// <summary>The directory to connect to instead of the server's.</summary>
    public string Host => _directory;

    private string Path => System.IO.Path.Combine(_directory, System.IO.Path.GetFileName(_server));

    /// <summary>Breaks every connection, and refuses new ones.</summary>
    public void Cut()
    {
        lock (_lock)
        {
            _listener?.Dispose();
            _listener = null;
            _sockets.ForEach(s => s.Dispose());
            _sockets.Clear();
            File.Delete(Path);
        }
    }

    /// <summary>Takes connections again.</summary>
    public void Mend()
    {
        var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(Path));
        listener.Listen();
        _listener = listener;
        _ = Task.Run(() => AcceptAsync(listener));
    }

    public void Dispose()
    {
        Cut();
        Directory.Delete(_directory, recursive: true);
    }

    private async Task AcceptAsync(Socket listener)
    {
        try
        {
            while (true)
            {
                Socket near = await listener.AcceptAsync();
                var far = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                lock (_lock)
                {
                    if (_listener != listener)
                    {
                        near.Dispose();
                        far.Dispose();
                        return;
                    }

                    _sockets.AddRange([near, far]);
                }

                await far.ConnectAsync(new UnixDomainSocketEndPoint(_server));
                _ = PassAsync(near, far);
                _ = PassAsync(far, near);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // It was cut.
        }
    }

    private static async Task PassAsync(Socket from, Socket to)
    {
        byte[] buffer = new byte[64 * 1_024];
        try
        {
            for (int read; (read = await from.ReceiveAsync(buffer)) > 0;)
            {
                for (int sent = 0; sent < read;)
                {
                    sent += await to.SendAsync(buffer.AsMemory(sent, read - sent));
                }
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // It was cut, or one of the two has ended.
        }

        from.Dispose();
        to.Dispose();
    }
}
