using System.Runtime.InteropServices;

namespace Ripple.Transports.Running;

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
