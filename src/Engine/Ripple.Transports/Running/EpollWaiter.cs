using System.ComponentModel;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Ripple.Transports.Running;

/// <summary>
/// Waits with epoll; woken by an eventfd, which is edge-triggered so that it need not be read. Timeouts are exact to the nanosecond where
/// the kernel has epoll_pwait2 (5.11), otherwise rounded up to the millisecond.
/// </summary>
internal sealed unsafe class EpollWaiter : IWaiter
{
    // Reported once per arrival: a notified target reads until nothing is left, over as many turns as that takes, and needs no further
    // notification meanwhile.
    private const uint Readable = EpollCalls.In | EpollCalls.EdgeTriggered;
    private const int EventsMax = 256;
    private const long NsPerMs = 1_000_000;
    private const long NsPerSecond = 1_000_000_000;
    private const ulong WakeToken = ulong.MaxValue;

    // struct epoll_event is packed on x86 only.
    private static readonly int EventBytes = IsX86 ? 12 : 16;
    private static readonly int DataOffset = IsX86 ? 4 : 8;

    private readonly DescriptorHandle _epoll;
    private readonly DescriptorHandle _event;
    private readonly WaitTargets _targets = new();
    private readonly byte[] _events = new byte[EventsMax * EventBytes];
    private bool _isPrecise;
    private bool _isFresh;
    private bool _isDisposed;

    /// <param name="isPrecise">False to behave as on a kernel without epoll_pwait2.</param>
    public EpollWaiter(bool isPrecise = true)
    {
        // The call takes a timespec, which is two longs on 64-bit machines only.
        _isPrecise = isPrecise && Environment.Is64BitProcess;
        _epoll = Checked(EpollCalls.Create(EpollCalls.CloseOnExec), "epoll_create1");
        _event = Checked(EpollCalls.CreateEvent(0, EpollCalls.CloseOnExec | EpollCalls.NonBlocking), "eventfd");
        Control(EpollCalls.Add, _event, EpollCalls.In | EpollCalls.EdgeTriggered, WakeToken);
    }

    private static bool IsX86 => RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.X86;

    public int Add(IWaitTarget target)
    {
        int token = _targets.Add(target);
        Control(EpollCalls.Add, target.Socket.SafeHandle, Readable, (ulong)token);
        return token;
    }

    public void Remove(int token)
    {
        if (_targets[token] is { } target)
        {
            _targets.Remove(token);
            if (!_isDisposed)
            {
                Control(EpollCalls.Delete, target.Socket.SafeHandle, 0, 0);
            }
        }
    }

    public void WatchWritable(int token, bool isWatched)
    {
        if (!_isDisposed && _targets[token] is { } target)
        {
            Control(EpollCalls.Modify, target.Socket.SafeHandle, isWatched ? Readable | EpollCalls.Out : Readable, (ulong)token);
        }
    }

    public void Wait(long timeoutNs)
    {
        Collect(timeoutNs);
        _isFresh = true;
    }

    public void Poll()
    {
        if (!_isFresh && _targets.Count > 0)
        {
            Collect(0);
        }

        _isFresh = false;
    }

    public void Wake()
    {
        ulong one = 1;
        try
        {
            EpollCalls.Write(_event, &one, sizeof(ulong));
        }
        catch (ObjectDisposedException)
        {
            // No thread sleeps there any more.
        }
    }

    public void Dispose()
    {
        _isDisposed = true;
        _epoll.Dispose();
        _event.Dispose();
    }

    private void Collect(long timeoutNs)
    {
        fixed (byte* events = _events)
        {
            int count = Call(events, timeoutNs);
            for (int i = 0; i < count; i++)
            {
                byte* e = events + (i * EventBytes);
                ulong token = unchecked((ulong)Marshal.ReadInt64((nint)(e + DataOffset)));
                if (token != WakeToken && _targets[(int)token] is { } target)
                {
                    uint flags = *(uint*)e;
                    // A read reports the error.
                    target.OnReady((flags & (EpollCalls.In | EpollCalls.Error | EpollCalls.HangUp)) != 0, (flags & EpollCalls.Out) != 0);
                }
            }
        }
    }

    private int Call(byte* events, long timeoutNs)
    {
        int count;
        if (_isPrecise && timeoutNs != 0)
        {
            long* timeout = stackalloc long[2] { timeoutNs / NsPerSecond, timeoutNs % NsPerSecond };
            try
            {
                count = EpollCalls.WaitPrecisely(_epoll, events, EventsMax, timeoutNs == long.MaxValue ? null : timeout, 0);
            }
            catch (EntryPointNotFoundException)
            {
                _isPrecise = false;
                return 0;
            }
        }
        else
        {
            // Rounded up: rounded down, a wait of less than a millisecond would spin.
            int timeoutMs = timeoutNs == long.MaxValue
                ? -1
                : (int)Math.Min(int.MaxValue, (timeoutNs / NsPerMs) + (timeoutNs % NsPerMs == 0 ? 0 : 1));
            count = EpollCalls.Wait(_epoll, events, EventsMax, timeoutMs);
        }

        if (count >= 0)
        {
            return count;
        }

        switch (Marshal.GetLastPInvokeError())
        {
            case EpollCalls.Interrupted:
                return 0;
            case EpollCalls.NoSuchCall when _isPrecise:
                _isPrecise = false;
                return 0;
            default:
                throw Failure("epoll_wait");
        }
    }

    private void Control(int operation, SafeHandle descriptor, uint flags, ulong token)
    {
        byte* e = stackalloc byte[16];
        *(uint*)e = flags;
        Marshal.WriteInt64((nint)(e + DataOffset), unchecked((long)token));
        if (EpollCalls.Control(_epoll, operation, descriptor, e) != 0)
        {
            throw Failure("epoll_ctl");
        }
    }

    private static DescriptorHandle Checked(DescriptorHandle handle, string call) => handle.IsInvalid ? throw Failure(call) : handle;

    private static Win32Exception Failure(string call)
    {
        int error = Marshal.GetLastPInvokeError();
        return new Win32Exception(error, $"{call} failed: {Marshal.GetPInvokeErrorMessage(error)} (errno {error}).");
    }
}

/// <summary>The calls of Linux's C library. None suppresses the GC transition: they may block.</summary>
internal static unsafe partial class EpollCalls
{
    public const int CloseOnExec = 0x80000;
    public const int NonBlocking = 0x800;
    public const int Add = 1;
    public const int Delete = 2;
    public const int Modify = 3;
    public const uint In = 1;
    public const uint Out = 4;
    public const uint Error = 8;
    public const uint HangUp = 0x10;
    public const uint EdgeTriggered = 1u << 31;
    public const int Interrupted = 4;
    public const int NoSuchCall = 38;

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial DescriptorHandle Create(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int Control(DescriptorHandle epoll, int operation, SafeHandle descriptor, byte* epollEvent);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int Wait(DescriptorHandle epoll, byte* events, int eventsMax, int timeoutMs);

    [LibraryImport("libc", EntryPoint = "epoll_pwait2", SetLastError = true)]
    public static partial int WaitPrecisely(DescriptorHandle epoll, byte* events, int eventsMax, long* timeout, nint signalMask);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    public static partial DescriptorHandle CreateEvent(uint value, int flags);

    [LibraryImport("libc", EntryPoint = "write")]
    public static partial nint Write(DescriptorHandle descriptor, ulong* value, nint bytes);

    [LibraryImport("libc", EntryPoint = "close")]
    public static partial int Close(int descriptor);
}

/// <summary>
/// A Linux file descriptor. A safe handle, because a late wake-up must not write to an unrelated descriptor that got the same number.
/// </summary>
internal sealed class DescriptorHandle : SafeHandleMinusOneIsInvalid
{
    /// <summary>For the marshaller.</summary>
    public DescriptorHandle()
        : base(ownsHandle: true)
    {
    }

    protected override bool ReleaseHandle() => EpollCalls.Close((int)handle) == 0;
}
