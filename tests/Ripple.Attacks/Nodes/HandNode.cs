using System.Buffers.Binary;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Channels;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Wire;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Attacks.Nodes;

/// <summary>
/// A node made by hand: a certificate got honestly, and then frames and datagrams that say whatever the attack wants. Reads what the host
/// sends only when told to.
/// </summary>
internal sealed class HandNode : IAsyncDisposable
{
    /// <summary>What a probe begins with; the rest of it makes it as long as a packet.</summary>

    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(30);
    private readonly LinkConnectorOptions _options;
    private readonly HostEndpoint _endpoint;
    private readonly SslStreamCertificateContext _certificate;
    private readonly Channel<Frame> _frames = Channel.CreateUnbounded<Frame>();
    private readonly SemaphoreSlim _writing = new(1, 1);
    private readonly CancellationTokenSource _closing = new();
    private TlsClientConnection? _connection;
    private Task _background = Task.CompletedTask;
    private Task? _probed;

    private HandNode(LinkConnectorOptions options, HostEndpoint endpoint, X509Certificate2 certificate)
    {
        _options = options;
        _endpoint = endpoint;
        _certificate = SslStreamCertificateContext.Create(certificate, null, offline: true);
        Data = Bind();
        Control = Bind();
    }

    /// <summary>The version that the host took; who knows it already sets it, so that no join is refused for it.</summary>
    public static int Version { get; set; }

    /// <summary>Called with the id of each node that enrols.</summary>
    public static Action<string>? OnEnrolled { get; set; }

    public Socket Data { get; }

    public Socket Control { get; }

    public string Name => _options.Name!;

    /// <summary>Its place in its region, after a join.</summary>
    public Seat? Seat { get; private set; }

    /// <summary>What the host sends, in its order, once it is read.</summary>
    public ChannelReader<Frame> Frames => _frames.Reader;

    /// <summary>The stream.</summary>
    public SslStream Stream => _connection!.Stream;

    /// <summary>Gets a certificate by a token, as a client does; not connected yet.</summary>
    public static async Task<HandNode> EnrolAsync(string connectionString, string name, CancellationToken cancellation)
    {
        var connection = ConnectionString.Parse(connectionString);
        LinkConnectorOptions options = LinkConnectorOptions.From(connection) with { Name = name };
        HostEndpoint endpoint = connection.Endpoints[0];
        await using TlsClientConnection link = await TlsClientConnection.OpenAsync(endpoint, options, null, cancellation);
        X509Certificate2 certificate = await Enrollment.EnrollAsync(link, endpoint, options, connection.ReadToken(), cancellation);
        if (IdentityReader.Read(certificate, out CertificateIdentity? identity) == IdentityStatus.Ok && identity is NodeIdentity node)
        {
            OnEnrolled?.Invoke(node.NodeId.ToString()!);
        }

        return new HandNode(options, endpoint, certificate);
    }

    /// <summary>Enrols, connects and joins.</summary>
    public static async Task<HandNode> JoinAsync(string connectionString, string name, CancellationToken cancellation)
    {
        HandNode node = await EnrolAsync(connectionString, name, cancellation);
        return await node.JoinAsync(node.Claim(), cancellation)
            ? node
            : throw new AttackException($"{name} was not let join: {node.Refusal}");
    }

    /// <summary>The honest claim of this node.</summary>
    public JoinClaim Claim() => new() { Name = Name, Data = AddressOf(Data), Control = AddressOf(Control) };

    /// <summary>Why the last join was refused.</summary>
    public string Refusal { get; private set; } = "";

    /// <summary>Opens a connection with the certificate; a former one is left.</summary>
    public async Task ConnectAsync(CancellationToken cancellation)
    {
        await CloseAsync();
        _connection = await TlsClientConnection.OpenAsync(_endpoint, _options, _certificate, cancellation);
        (ushort type, byte[] body) = await LinkFrames.ReadAsync(Stream, cancellation);
        if (type != LinkFrameType.Admitted)
        {
            string text = LinkRefusal.TryRead(body, out LinkRefusal refusal) ? refusal.Text : $"a frame of type {type}";
            throw new AttackException($"{Name} was not admitted: {text}");
        }
    }

    /// <summary>Joins on a new connection, in the newest version that the host takes. False, and why, where it is refused.</summary>
    public async Task<bool> JoinAsync(JoinClaim claim, CancellationToken cancellation)
    {
        foreach (int version in Version == 0 ? Layouts.Versions : [Version])
        {
            await ConnectAsync(cancellation);
            await SendAsync(MessageType.Join, Layouts.Join(version, claim), cancellation);
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            limit.CancelAfter(AnswerTimeout);
            Frame answer;
            try
            {
                do
                {
                    answer = await ReadAsync(limit.Token);
                }
                while (answer.Type == (ushort)MessageType.SignerCertificate);
            }
            catch (Exception e) when (e is IOException or EndOfStreamException)
            {
                Refusal = e.Message;
                continue;
            }

            if (answer.Type == (ushort)MessageType.JoinAccepted)
            {
                Version = version;
                Seat = Layouts.JoinAccepted(version, answer.Body);
                _probed ??= AnswerAsync(_closing.Token);
                return true;
            }

            if (answer.Type != (ushort)MessageType.JoinRefused)
            {
                // A host of another version cannot read the join, and closes.
                Refusal = $"the host answered a join of version {version} by a frame of type {answer.Type}";
                continue;
            }

            var reader = new WireReader(answer.Body);
            var code = (ErrorCode)reader.ReadU16();
            Refusal = $"{code}: {reader.ReadText16(4_096)}";
            if (code != ErrorCode.UnknownVersion)
            {
                return false;
            }
        }

        return false;
    }

    /// <summary>From now on reads what the host sends, keeps the view and the key, and sends heartbeats.</summary>
    public void Live(CancellationToken cancellation = default)
    {
        cancellation.Register(_closing.Cancel);
        CancellationToken ending = _closing.Token;
        _background = Seat is null ? HearAsync(ending) : Task.WhenAll(HearAsync(ending), BeatAsync(ending));
    }

    public Task SendAsync(MessageType type, byte[] body, CancellationToken cancellation = default) =>
        WriteAsync(Encode(type, body), cancellation);

    /// <summary>Writes bytes as they are.</summary>
    public async Task WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellation = default)
    {
        await _writing.WaitAsync(cancellation);
        try
        {
            await Stream.WriteAsync(bytes, cancellation);
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>A frame with its header.</summary>
    public static byte[] Encode(MessageType type, byte[] body) =>
        new WireBytes().U32((uint)body.Length + 2).U16((int)type).Raw(body).ToArray();

    /// <summary>The next frame; not together with <see cref="Live"/>.</summary>
    public async Task<Frame> ReadAsync(CancellationToken cancellation)
    {
        byte[] header = new byte[6];
        await Stream.ReadExactlyAsync(header, cancellation);
        byte[] body = new byte[BinaryPrimitives.ReadInt32LittleEndian(header) - 2];
        await Stream.ReadExactlyAsync(body, cancellation);
        return new Frame(BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(4)), body);
    }

    /// <summary>The next frame of a type among those read by <see cref="Live"/>; null when none came in time.</summary>
    public async Task<Frame?> ExpectAsync(MessageType type, TimeSpan timeout)
    {
        using var limit = new CancellationTokenSource(timeout);
        try
        {
            await foreach (Frame frame in _frames.Reader.ReadAllAsync(limit.Token))
            {
                if (frame.Type == (ushort)type)
                {
                    return frame;
                }
            }
        }
        catch (OperationCanceledException)
        {
            // None came.
        }

        return null;
    }

    /// <summary>Sends a datagram from the control port.</summary>
    public void SendTo(NodeAddress to, byte[] datagram) => Control.SendTo(datagram, to.ToEndPoint());

    /// <summary>Goes without a word.</summary>
    public async Task CloseAsync()
    {
        if (_connection is { } connection)
        {
            _connection = null;
            await connection.DisposeAsync();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _closing.CancelAsync();
        await CloseAsync();
        await _background.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await (_probed ?? Task.CompletedTask).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Data.Dispose();
        Control.Dispose();
        _writing.Dispose();
        _closing.Dispose();
    }

    public static NodeAddress AddressOf(Socket socket) => NodeAddress.From((IPEndPoint)socket.LocalEndPoint!);

    private static Socket Bind()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    private async Task HearAsync(CancellationToken cancellation)
    {
        try
        {
            while (true)
            {
                Frame frame = await ReadAsync(cancellation);
                if (frame.Type == (ushort)MessageType.ViewChange)
                {
                    Layouts.ViewChange(frame.Body, Seat!);
                }
                else if (frame.Type == (ushort)MessageType.RegionRekey)
                {
                    Layouts.Rekey(frame.Body, Seat!);
                }
                else if (frame.Type != (ushort)MessageType.HeartbeatReply)
                {
                    _frames.Writer.TryWrite(frame);
                }
            }
        }
        catch (Exception e) when (e is IOException or EndOfStreamException or OperationCanceledException or ObjectDisposedException)
        {
            _frames.Writer.TryComplete();
        }
    }

    /// <summary>
    /// Answers what asks whether somebody is at its address, as every honest node does, so that what names an attacker is what it did.
    /// </summary>
    private async Task AnswerAsync(CancellationToken cancellation)
    {
        byte[] buffer = new byte[WireLimits.DatagramBytesMax];
        while (true)
        {
            int length = await Data.ReceiveAsync(buffer, cancellation);
            if (Seat is not { } seat || _connection is null || Layouts.TryAnswerProbe(seat, buffer[..length]) is not { } answer)
            {
                continue;
            }

            try
            {
                await SendAsync(MessageType.PathAnswer, answer, cancellation);
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
            {
                // That connection is gone; there may be another.
            }
        }
    }

    private async Task BeatAsync(CancellationToken cancellation)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(Math.Max(100, Seat!.HeartbeatMs)));
        try
        {
            for (ulong sequence = 1; ; sequence++)
            {
                await SendAsync(MessageType.Heartbeat, Layouts.Heartbeat(sequence, Seat.View), cancellation);
                await timer.WaitForNextTickAsync(cancellation);
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ObjectDisposedException or InvalidOperationException)
        {
            // The connection is gone.
        }
    }
}
