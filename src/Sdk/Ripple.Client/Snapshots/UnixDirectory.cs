using System.Runtime.InteropServices;

namespace Ripple.Client.Snapshots;

/// <summary>Makes a rename durable: on Unix the directory must be flushed like a file, for which .NET has no API.</summary>
internal static partial class UnixDirectory
{
    private const int ReadOnlyFlag = 0;

    /// <summary>Flushes a directory's entries to disk. Does nothing on Windows, where the rename itself is journaled.</summary>
    /// <exception cref="IOException">The system call failed.</exception>
    public static void Flush(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }

        int descriptor = Open(path, ReadOnlyFlag);
        if (descriptor < 0)
        {
            throw new IOException($"The directory '{path}' cannot be opened to flush it: {Marshal.GetLastPInvokeErrorMessage()}");
        }

        try
        {
            if (Fsync(descriptor) != 0)
            {
                throw new IOException($"The directory '{path}' cannot be flushed: {Marshal.GetLastPInvokeErrorMessage()}");
            }
        }
        finally
        {
            _ = Close(descriptor);
        }
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Fsync(int descriptor);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Close(int descriptor);
}
