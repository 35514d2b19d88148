using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Net.Sockets;
using System.Numerics;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Memory;

namespace Ripple.Transports.Links;

/// <summary>
/// A control link over a stream that is already authenticated, in production by TLS on both sides. The members of <see cref="ILink"/> are
/// called on the core thread; the rest runs in thread pool tasks, and holds memory only while bytes wait.
/// </summary>
[SuppressMessage(
    "Design",
    "CA1001",
    Justification = "Neither field holds a handle: no wait handle is asked for, and the timer of the end runs out by itself.")]
internal sealed class StreamLink : ILink
{
    private readonly Stream _stream;
    private readonly RequestQueue _requests;
    private readonly LinkOptions _options;
    private readonly LinkWriter _writer;
    private readonly LinkReader _reader;
    private readonly ActionRequest _onBatch;
    private readonly ActionRequest _onHalfFree;
    private readonly SemaphoreSlim _batchFree = new(1, 1);
    private readonly CancellationTokenSource _givenUp = new();
    private readonly TaskCompletionSource _endTaken = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ReceiveBuffer? _batch;
    private int _batchBytes;
    private int _isEndTold;
    // Core thread: no more callbacks.
    private bool _isOver;
    // Core thread: the batch being delivered, how far, and whether the rest waits for GoOn, with the end behind it.
    private ReceiveBuffer? _taken;
    private int _takenBytes;
    private bool _isDelivering;
    private bool _isHeld;
    private string? _heldEnd;

    /// <param name="stream">The connection; used by the link alone from now on, and disposed of by the caller after
    /// <see cref="RunAsync"/>.</param>
    /// <param name="peer">The authenticated identity of the other side.</param>
    /// <param name="requests">The core's request queue.</param>
    /// <param name="options">Bounds.</param>
    public StreamLink(Stream stream, LinkPeer peer, RequestQueue requests, LinkOptions options)
    {
        options.Check();
        _stream = stream;
        Peer = peer;
        _requests = requests;
        _options = options;
        _onBatch = new ActionRequest(TakeBatch);
        _onHalfFree = new ActionRequest(TakeHalfFree);
        _writer = new LinkWriter(stream, options, PostHalfFree, () => _ = ShutDownAsync());
        _reader = new LinkReader(stream, options, DeliverAsync);
    }

    /// <summary>Adds the memory that a link with these bounds holds while bytes wait; an idle link holds no buffer.</summary>
    public static void AddMemory(MemoryBudget budget, LinkOptions options)
    {
        // One buffer that fills and one that is being emptied, each rounded up to a power of two; longer ones are within the budget, if
        // there is one.
        AddMemory(budget, "link: frames that go out", LinkWriter.FirstRentBytes, options.SendBufferBytesMax, options.SendBudget);
        AddMemory(
            budget,
            "link: frames that come in",
            LinkReader.RentBytes,
            LinkFrame.HeaderBytes + LinkFrame.BodyBytesMax,
            options.ReceiveBudget);
    }

    /// <inheritdoc/>
    public LinkPeer Peer { get; }

    /// <inheritdoc/>
    public ILinkHandler? Handler { get; set; }

    /// <inheritdoc/>
    public int SendRoomBytes => _isOver ? 0 : _writer.RoomBytes;

    /// <inheritdoc/>
    public bool TrySend(ushort type, ReadOnlySpan<byte> body)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(type, LinkFrame.FirstProtocolType);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(body.Length, LinkFrame.BodyBytesMax);
        return !_isOver && _writer.TryAdd(type, body);
    }

    /// <inheritdoc/>
    public void Close(string reason)
    {
        if (!_isOver)
        {
            _isOver = true;
            Handler = null;
            // The core ends it, and need not hear of it.
            _endTaken.TrySetResult();
            Deliver();
            BeginEnd(new(LinkRefusalCode.Closed, reason));
        }
    }

    /// <inheritdoc/>
    public void Hold() => _isHeld = true;

    /// <inheritdoc/>
    public void GoOn()
    {
        _isHeld = false;
        Deliver();
        if (!_isHeld && _heldEnd is { } reason)
        {
            _heldEnd = null;
            TakeEnd(reason);
        }
    }

    /// <summary>
    /// Hands the link to the core: posts <paramref name="take"/>, and closes the link if no handler was set there. Call before
    /// <see cref="RunAsync"/>.
    /// </summary>
    /// <returns>False when cancelled before the request queue had room.</returns>
    public Task<bool> HandOverAsync(Action<ILink> take, CancellationToken cancellationToken)
    {
        return RequestPosting.PostAsync(_requests, new ActionRequest(() =>
        {
            take(this);
            if (Handler is null)
            {
                Close("Nobody took the link.");
            }
        }), cancellationToken);
    }

    /// <summary>
    /// Transfers bytes until the link has ended and the core has heard of it. Never throws. Dispose of the stream afterwards.
    /// </summary>
    /// <param name="stopping">Ends the link from this side in an orderly way.</param>
    public async Task RunAsync(CancellationToken stopping)
    {
        using (stopping.UnsafeRegister(static link => ((StreamLink)link!).Stop(), this))
        {
            LinkRefusal end = await _reader.RunAsync(_givenUp.Token).ConfigureAwait(false);
            if (end.Code == LinkRefusalCode.Malformed)
            {
                BeginEnd(end);
                await TellEndAsync(end.Text, stopping).ConfigureAwait(false);
                // Closing with unread bytes would reset the connection, and the other side would never read why.
                await _reader.RunAsync(_givenUp.Token).ConfigureAwait(false);
            }

            await TellEndAsync(end.Text, stopping).ConfigureAwait(false);
        }

        // A write still under way ends when the caller disposes of the stream; nothing new is accepted.
        _givenUp.Cancel();
        _writer.End(LinkFrameType.Goodbye, []);
    }

    private static void AddMemory(MemoryBudget budget, string name, int ownBytes, int bytesMax, LinkBudget? shared)
    {
        if (shared is null)
        {
            budget.Add(MemoryScope.Connection, MemoryKind.Transient, name, 2, (long)BitOperations.RoundUpToPowerOf2((uint)bytesMax));
            return;
        }

        budget.Add(MemoryScope.Connection, MemoryKind.Transient, $"{name}, the first buffers", 2, ownBytes);
        budget.Add(MemoryScope.Process, MemoryKind.Transient, $"{name}, all longer buffers", 1, shared.BytesMax);
    }

    private void Stop()
    {
        BeginEnd(new(LinkRefusalCode.Busy, "it is stopping."));
        _ = TellEndAsync("This side of the link is stopping.", _givenUp.Token);
    }

    /// <summary>
    /// Sends a goodbye after the queued frames, discards incoming data, and gives up when the other side does not close in time. Any
    /// thread.
    /// </summary>
    private void BeginEnd(LinkRefusal goodbye)
    {
        _reader.Discard();
        _writer.End(LinkFrameType.Goodbye, goodbye.ToBytes());
        _givenUp.CancelAfter(_options.CloseTimeout);
    }

    private void PostHalfFree() => _ = RequestPosting.PostAsync(_requests, _onHalfFree, _givenUp.Token);

    /// <summary>Called after the last byte: ends this direction, so that the other side sees the end of the stream.</summary>
    private async Task ShutDownAsync()
    {
        try
        {
            if (_givenUp.IsCancellationRequested)
            {
                return;
            }

            if (_stream is SslStream tls)
            {
                await tls.ShutdownAsync().ConfigureAwait(false);
            }
            else if (_stream is NetworkStream plain)
            {
                plain.Socket.Shutdown(SocketShutdown.Send);
            }
        }
        catch (Exception e) when (e is IOException or SocketException or InvalidOperationException or OperationCanceledException)
        {
            // The connection is already gone, which is the intended result.
        }
    }

    private async Task TellEndAsync(string reason, CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isEndTold, 1) == 0
            && !await RequestPosting.PostAsync(
                _requests, new ActionRequest(() => TakeEndPosted(reason)), cancellationToken).ConfigureAwait(false))
        {
            _endTaken.TrySetResult();
        }

        // What counts links by this, as the endpoint's limits do, counts none whose end the core has yet to hear of.
        await _endTaken.Task.WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private async Task DeliverAsync(ReceiveBuffer batch, int batchBytes, CancellationToken cancellationToken)
    {
        bool isPosted = false;
        try
        {
            await _batchFree.WaitAsync(cancellationToken).ConfigureAwait(false);
            _batch = batch;
            _batchBytes = batchBytes;
            isPosted = await RequestPosting.PostAsync(_requests, _onBatch, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            if (!isPosted)
            {
                batch.Return();
            }
        }
    }

    private void TakeBatch()
    {
        (_taken, _batch, _takenBytes) = (_batch, null, 0);
        Deliver();
    }

    /// <summary>Delivers the rest of the batch, as far as it may; gives it back when nothing of it will be delivered any more.</summary>
    private void Deliver()
    {
        if (_taken is not { } batch || _isDelivering)
        {
            return;
        }

        _isDelivering = true;
        bool isDone = true;
        try
        {
            while (_takenBytes < _batchBytes && !_isOver && !_isHeld)
            {
                ReadOnlySpan<byte> frames = batch.Bytes.AsSpan(_takenBytes, _batchBytes - _takenBytes);
                int bodyBytes = BinaryPrimitives.ReadInt32LittleEndian(frames) - 2;
                ushort type = BinaryPrimitives.ReadUInt16LittleEndian(frames[4..]);
                _takenBytes += LinkFrame.HeaderBytes + bodyBytes;
                Handler?.OnFrame(type, frames.Slice(LinkFrame.HeaderBytes, bodyBytes));
            }

            isDone = _isOver || _takenBytes == _batchBytes;
        }
        finally
        {
            _isDelivering = false;
            if (isDone)
            {
                _taken = null;
                batch.Return();
                _batchFree.Release();
            }
        }
    }

    private void TakeHalfFree()
    {
        if (_writer.TakeAnnouncement() && !_isOver)
        {
            Handler?.OnWritable();
        }
    }

    private void TakeEndPosted(string reason)
    {
        try
        {
            TakeEnd(reason);
        }
        finally
        {
            _endTaken.TrySetResult();
        }
    }

    private void TakeEnd(string reason)
    {
        if (_isHeld)
        {
            _heldEnd = reason;
        }
        else if (!_isOver)
        {
            _isOver = true;
            ILinkHandler? handler = Handler;
            Handler = null;
            handler?.OnClosed(reason);
        }
    }
}
