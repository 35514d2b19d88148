using System.Runtime.InteropServices;

namespace Ripple.Trust;

/// <summary>
/// Says whether a file is what its program left there. In a directory that others may write to, or could once, there may be a link to a
/// file elsewhere, a pipe that never ends, or another's file: nothing of that is written to or read. Looks at the name itself, never
/// behind a link. Thread-safe.
/// </summary>
/// <remarks>Linux tells owners. Elsewhere on Unix links alone are found; on Windows access lists decide, and nothing is refused.</remarks>
internal static partial class FileOwner
{
    private const UnixFileMode OthersWrite = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;
    private const UnixFileMode OwnerAll = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    // The structure of statx is the same on every processor.
    private const int StatBytes = 256;
    private const int OwnerOffset = 20;
    private const int ModeOffset = 28;
    private const int FromCurrentDirectory = -100;
    private const int NoFollow = 0x100;
    private const uint BasicMask = 0x7FF;
    private const int KindMask = 0xF000;
    private const int DirectoryKind = 0x4000;
    private const int RegularKind = 0x8000;

    /// <summary>Null if there is no file of this name, or an ordinary one of this user or of root; else what it is.</summary>
    public static string? RefuseFile(string path) => TryStat(path, out uint owner, out int kind)
        ? kind != RegularKind ? $"'{path}' is a link, a pipe or something else than an ordinary file. Remove it."
        : owner != 0 && owner != EffectiveUser() ? $"'{path}' belongs to another user. Remove it, or give it to the user of this program."
        : null
        : IsLink(path) ? $"'{path}' is a link. Remove it."
        : null;

    /// <summary>
    /// Null if the directory is this user's; else what it is. Others who may write to it lose that right: it was made without, and systems
    /// that mount it may have given it.
    /// </summary>
    /// <exception cref="IOException">The right cannot be taken away.</exception>
    /// <exception cref="UnauthorizedAccessException">The right cannot be taken away.</exception>
    public static string? RefuseDirectory(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            return null;
        }

        if (TryStat(path, out uint owner, out int kind) && (kind != DirectoryKind || owner != EffectiveUser()))
        {
            return kind != DirectoryKind
                ? $"'{path}' is a link or something else than a directory. Remove it."
                : $"The directory '{path}' belongs to another user, who could change what is in it. "
                    + "Give another directory, or make this one belong to the user of this program.";
        }

        if ((File.GetUnixFileMode(path) & OthersWrite) != 0)
        {
            File.SetUnixFileMode(path, OwnerAll);
        }

        return null;
    }

    private static bool IsLink(string path) => !OperatingSystem.IsWindows() && new FileInfo(path).LinkTarget is not null;

    private static bool TryStat(string path, out uint owner, out int kind)
    {
        owner = 0;
        kind = 0;
        if (!OperatingSystem.IsLinux())
        {
            return false;
        }

        byte[] stat = new byte[StatBytes];
        try
        {
            if (Stat(FromCurrentDirectory, path, NoFollow, BasicMask, stat) != 0)
            {
                return false;
            }
        }
        catch (EntryPointNotFoundException)
        {
            // A C library from before 2018.
            return false;
        }

        owner = BitConverter.ToUInt32(stat, OwnerOffset);
        kind = BitConverter.ToUInt16(stat, ModeOffset) & KindMask;
        return true;
    }

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Stat(int directory, string path, int flags, uint mask, [Out] byte[] stat);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial uint EffectiveUser();
}
