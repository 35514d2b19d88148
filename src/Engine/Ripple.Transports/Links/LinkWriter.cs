using System.Buffers;
using System.Numerics;
using Ripple.Engine.Links;

namespace Ripple.Transports.Links;

/// <summary>
/// The outgoing half of a link: the core adds frames to one buffer, and a thread pool work item, which exists only while something waits,
/// sends everything gathered so far. Memory is bounded, and rented only while something waits.
/// </summary>
internal sealed class LinkWriter(Stream stream, LinkOptions options, Action onHalfFree, Action onDrained) : IThreadPoolWorkItem
{
    /// <summary>Buffers up to this length belong to the link; longer ones count against the budget.</summary>
    public const int FirstRentBytes = 2_048;

    // Sent and freed piece by piece, so that the core can go on filling while a large buffer is under way.
    private const int WriteBytesMax = 65_536;

    private readonly int _bytesMax = options.SendBufferBytesMax;
    private readonly LinkTraffic? _traffic = options.Traffic;
    private readonly LinkBudget? _budget = options.SendBudget;
    private readonly Lock _lock = new();
    private byte[]? _waiting;
    private int _waitingBytes;
    private long _waitingCharge;
    private int _leavingBytes;
    private bool _isRunning;
    private bool _isEnded;
    private bool _isBroken;
    private bool _wantsRoom;
    private bool _isAnnounced;
    private bool _waitsForBudget;

    /// <summary>Bytes free now; 0 when ended or broken.</summary>
    public int RoomBytes
    {
        get
        {
            lock (_lock)
            {
                return _isEnded || _isBroken ? 0 : Math.Max(0, _bytesMax - _waitingBytes - _leavingBytes);
            }
        }
    }

    /// <summary>
    /// Adds a frame; false when it does not fit (room is announced once half of the buffer is free), or when ended or broken.
    /// </summary>
    public bool TryAdd(ushort type, ReadOnlySpan<byte> body)
    {
        lock (_lock)
        {
            if (_isEnded || _isBroken)
            {
                return false;
            }

            if (_waitingBytes + _leavingBytes + LinkFrame.HeaderBytes + body.Length > _bytesMax
                || !TryFit(LinkFrame.HeaderBytes + body.Length, isLast: false))
            {
                _wantsRoom = true;
                return false;
            }

            Append(type, body);
        }

        return true;
    }

    /// <summary>
    /// Adds a last frame, regardless of room, and accepts no more. Reports drained when everything was sent or the stream broke.
    /// </summary>
    public void End(ushort type, ReadOnlySpan<byte> body)
    {
        lock (_lock)
        {
            if (!_isEnded)
            {
                _isEnded = true;
                if (!_isBroken)
                {
                    TryFit(LinkFrame.HeaderBytes + body.Length, isLast: true);
                    Append(type, body);
                    return;
                }
            }
            else if (_isRunning)
            {
                return;
            }
        }

        onDrained();
    }

    /// <summary>
    /// Called by the core for each announcement. True when the announced room is still free; false when it was used up meanwhile, in which
    /// case another announcement follows, or when ended.
    /// </summary>
    public bool TakeAnnouncement()
    {
        lock (_lock)
        {
            _isAnnounced = false;
            bool isHalfFree = _waitingBytes + _leavingBytes <= _bytesMax / 2;
            _wantsRoom = !isHalfFree;
            return isHalfFree && !_isEnded && !_isBroken;
        }
    }

    void IThreadPoolWorkItem.Execute() => _ = DrainAsync();

    private void Append(ushort type, ReadOnlySpan<byte> body)
    {
        int bytes = LinkFrame.HeaderBytes + body.Length;
        Span<byte> to = _waiting.AsSpan(_waitingBytes, bytes);
        LinkFrames.WriteHeader(to, type, body.Length);
        body.CopyTo(to[LinkFrame.HeaderBytes..]);
        _waitingBytes += bytes;
        if (!_isRunning)
        {
            _isRunning = true;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    /// <summary>
    /// Makes room for this many more bytes; false when the budget has none, in which case room is announced later. The last frame of a link
    /// is short and always fits.
    /// </summary>
    private bool TryFit(int bytes, bool isLast)
    {
        int haveBytes = _waiting?.Length ?? 0;
        if (haveBytes >= _waitingBytes + bytes)
        {
            return true;
        }

        int wantedBytes = (int)BitOperations.RoundUpToPowerOf2(
            (uint)Math.Max(FirstRentBytes, Math.Max(2 * haveBytes, _waitingBytes + bytes)));
        long chargedBytes = isLast ? 0 : Charge(wantedBytes);
        if (chargedBytes > 0 && _budget is not null && !_budget.TryTake(chargedBytes, _waitsForBudget ? null : OnBudget))
        {
            _waitsForBudget = true;
            return false;
        }

        // The larger buffer is charged before the smaller one is returned: both exist while the bytes are copied.
        byte[] larger = ArrayPool<byte>.Shared.Rent(wantedBytes);
        if (_waiting is not null)
        {
            _waiting.AsSpan(0, _waitingBytes).CopyTo(larger);
            GiveBack(_waiting, _waitingCharge);
        }

        _waiting = larger;
        _waitingCharge = chargedBytes;
        return true;
    }

    private static long Charge(int bufferBytes) => bufferBytes > FirstRentBytes ? bufferBytes : 0;

    private void GiveBack(byte[] buffer, long chargedBytes)
    {
        ArrayPool<byte>.Shared.Return(buffer);
        if (chargedBytes > 0)
        {
            _budget?.Return(chargedBytes);
        }
    }

    /// <summary>The budget has room again.</summary>
    private void OnBudget()
    {
        bool isDue;
        lock (_lock)
        {
            _waitsForBudget = false;
            isDue = _wantsRoom && !_isAnnounced && !_isEnded && !_isBroken;
            _isAnnounced |= isDue;
        }

        if (isDue)
        {
            onHalfFree();
        }
    }

    private async Task DrainAsync()
    {
        while (TryTakeAll(out byte[] leaving, out int bytes, out long chargedBytes))
        {
            try
            {
                for (int sent = 0; sent < bytes; sent += WriteBytesMax)
                {
                    int piece = Math.Min(WriteBytesMax, bytes - sent);
                    await stream.WriteAsync(leaving.AsMemory(sent, piece)).ConfigureAwait(false);
                    _traffic?.CountSent(piece);
                    Release(piece);
                }
            }
            catch (Exception)
            {
                // The reader finds the same break and reports it; here it only ends the sending.
                Break();
            }
            finally
            {
                GiveBack(leaving, chargedBytes);
            }
        }
    }

    private bool TryTakeAll(out byte[] leaving, out int bytes, out long chargedBytes)
    {
        bool isDrained;
        lock (_lock)
        {
            if (_waitingBytes > 0 && !_isBroken)
            {
                leaving = _waiting!;
                bytes = _waitingBytes;
                chargedBytes = _waitingCharge;
                _waitingCharge = 0;
                _leavingBytes = bytes;
                _waiting = null;
                _waitingBytes = 0;
                return true;
            }

            _isRunning = false;
            isDrained = _isEnded || _isBroken;
        }

        if (isDrained)
        {
            onDrained();
        }

        leaving = [];
        bytes = 0;
        chargedBytes = 0;
        return false;
    }

    private void Release(int bytes)
    {
        bool isDue;
        lock (_lock)
        {
            _leavingBytes -= bytes;
            isDue = _wantsRoom && !_isAnnounced && _waitingBytes + _leavingBytes <= _bytesMax / 2;
            _isAnnounced |= isDue;
        }

        if (isDue)
        {
            onHalfFree();
        }
    }

    private void Break()
    {
        lock (_lock)
        {
            _isBroken = true;
            _leavingBytes = 0;
            if (_waiting is not null)
            {
                GiveBack(_waiting, _waitingCharge);
                _waiting = null;
                _waitingCharge = 0;
                _waitingBytes = 0;
            }
        }
    }
}
