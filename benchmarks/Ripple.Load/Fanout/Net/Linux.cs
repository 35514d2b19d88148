using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Ripple.Load.Fanout.Net;

/// <summary>The system calls that the runtime does not have. Linux on 64 bits.</summary>
internal static unsafe partial class Linux
{
    public const int CloneNewNet = 0x40000000;
    public const int ReadOnly = 0;
    public const int CloseOnExec = 0x80000;
    public const int EpollAdd = 1;
    public const uint EpollIn = 1;

    /// <summary><c>struct epoll_event</c> is packed on x86 alone.</summary>
    public static readonly int EpollEventBytes = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : 16;

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    public static partial int SetNamespace(int descriptor, int kind);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    public static partial uint EffectiveUser();

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int EpollCreate(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int EpollControl(int epoll, int operation, SafeHandle descriptor, byte* epollEvent);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int EpollWait(int epoll, byte* events, int eventsMax, int timeoutMs);

    [LibraryImport("libc", EntryPoint = "nanosleep")]
    private static partial int NanoSleep(long* time, long* rest);

    /// <summary>Sleeps about so long: the kernel adds some 60 us.</summary>
    public static void Sleep(long ns)
    {
        long* time = stackalloc long[2] { ns / 1_000_000_000, ns % 1_000_000_000 };
        _ = NanoSleep(time, null);
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int GetTime(int clock, long* time);

    /// <summary>The processor time of the calling thread.</summary>
    public static long ThreadCpuNs()
    {
        const int ThreadCpuTime = 3;
        long* time = stackalloc long[2];
        return GetTime(ThreadCpuTime, time) == 0 ? (time[0] * 1_000_000_000) + time[1] : 0;
    }

    public static int Checked(int result, string call) => result >= 0 ? result : throw Failure(call);

    public static Win32Exception Failure(string call)
    {
        int error = Marshal.GetLastPInvokeError();
        return new Win32Exception(error, $"{call} failed: {Marshal.GetPInvokeErrorMessage(error)} (errno {error}).");
    }
}
