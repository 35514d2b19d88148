using System.Runtime.InteropServices;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Ripple.Trust;

namespace Ripple.Client.Snapshots;

/// <summary>The system's files.</summary>
internal sealed class SystemFiles : ISnapshotFiles
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private SystemFiles()
    {
    }

    /// <summary>The only one.</summary>
    public static SystemFiles Instance { get; } = new();

    // Directory by directory, because the system call applies the mode only to the last one.
    public void MakeDirectory(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
            return;
        }

        if (!Directory.Exists(path))
        {
            MakeDirectory(Path.GetDirectoryName(path)!);
            Directory.CreateDirectory(path, OwnerOnly | UnixFileMode.UserExecute);
        }
    }

    public void DemandOwnDirectory(string path)
    {
        if (FileOwner.RefuseDirectory(path) is { } refusal)
        {
            throw new UnauthorizedAccessException(refusal);
        }
    }

    public IDisposable? TryLock(string path)
    {
        var options = new FileStreamOptions { Mode = FileMode.OpenOrCreate, Access = FileAccess.ReadWrite, Share = FileShare.None };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = OwnerOnly;
        }

        Demand(path);
        try
        {
            return new FileStream(path, options);
        }
        catch (IOException e) when (IsHeld(e))
        {
            return null;
        }
    }

    public IEnumerable<string> Directories(string parent, string pattern) => Directory.EnumerateDirectories(parent, pattern);

    // Checked before opening, because opening a pipe could block forever.
    public Stream OpenRead(string path)
    {
        Demand(path);
        return File.OpenRead(path);
    }

    public void Write(string path, Action<Stream> content)
    {
        using FileStream file = Create(path);
        content(file);
        file.Flush(flushToDisk: true);
    }

    public void WriteText(string path, string text)
    {
        using FileStream file = Create(path);
        file.Write(Encoding.ASCII.GetBytes(text));
    }

    public void Move(string path, string newPath) => File.Move(path, newPath, overwrite: true);

    public void FlushDirectory(string path) => UnixDirectory.Flush(path);

    public X509Certificate2? TryLoadCertificate(string path) => CertificateFile.TryLoad(path);

    public void SaveCertificate(string path, X509Certificate2 certificate) => CertificateFile.Save(path, certificate);

    private static void Demand(string path)
    {
        if (FileOwner.RefuseFile(path) is { } refusal)
        {
            throw new IOException(refusal);
        }
    }

    /// <summary>Creates a new file. An existing one is deleted first; of a link, the link itself and not its target.</summary>
    private static FileStream Create(string path)
    {
        var options =
            new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.None, BufferSize = 65_536 };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = OwnerOnly;
        }

        File.Delete(path);
        return new FileStream(path, options);
    }

    // Whether it is a sharing violation: ERROR_SHARING_VIOLATION on Windows, EWOULDBLOCK of the advisory lock elsewhere (11 on Linux, 35 on
    // macOS and BSD).
    private static bool IsHeld(IOException e) => OperatingSystem.IsWindows() ? (e.HResult & 0xFFFF) == 32 : e.HResult is 11 or 35;
}

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
