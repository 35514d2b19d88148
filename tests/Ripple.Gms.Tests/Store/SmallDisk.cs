using System.Diagnostics;
using System.Globalization;

namespace Ripple.Gms.Tests.Store;

/// <summary>A small file system of its own at a directory, which a test fills. Linux, as root.</summary>
internal sealed class SmallDisk : IDisposable
{
    private readonly string _directory;
    private bool _isGone;

    private SmallDisk(string directory) => _directory = directory;

    private string Filler => Path.Combine(_directory, "filler");

    /// <summary>Mounts a file system, or skips the test and says why.</summary>
    public static SmallDisk MountOrSkip(string directory, int bytes)
    {
        Directory.CreateDirectory(directory);
        string size = string.Create(CultureInfo.InvariantCulture, $"size={bytes}");
        if (!OperatingSystem.IsLinux() || !TryRun("mount", "-t", "tmpfs", "-o", size, "tmpfs", directory))
        {
            Assert.Skip("A small file system needs Linux and the right to mount.");
        }

        return new SmallDisk(directory);
    }

    /// <summary>Takes all room that is left but some.</summary>
    public void Fill(int leftBytes = 0)
    {
        using var file = new FileStream(Filler, FileMode.Append, FileAccess.Write, FileShare.None, 0);
        byte[] page = new byte[4_096];
        try
        {
            while (new DriveInfo(_directory).AvailableFreeSpace > leftBytes)
            {
                file.Write(page);
            }
        }
        catch (IOException)
        {
            // Now it is full.
        }
    }

    public void MakeRoom() => File.Delete(Filler);

    public void Dispose()
    {
        if (!_isGone)
        {
            _isGone = true;
            Assert.True(TryRun("umount", _directory));
        }
    }

    private static bool TryRun(string command, params string[] arguments)
    {
        try
        {
            using Process? process = Process.Start(new ProcessStartInfo(command, arguments) { RedirectStandardError = true });
            process!.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
