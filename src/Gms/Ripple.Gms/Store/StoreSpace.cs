using System.Security.Cryptography;

namespace Ripple.Gms.Store;

/// <summary>How much room a store takes and has, in bytes. Immutable.</summary>
/// <param name="FileBytes">The file, and its write-ahead log.</param>
/// <param name="FreePageBytes">What is free within the file, and is used before it grows.</param>
/// <param name="DiskFreeBytes">What is free on the disk for this user; -1 if that is not known.</param>
internal sealed record StoreSpace(long FileBytes, long FreePageBytes, long DiskFreeBytes)
{
    /// <summary>Looks at the files of an open store.</summary>
    public static StoreSpace Of(string path, SqliteDatabase database) => new(
        LengthOf(path) + LengthOf(path + "-wal"),
        database.Number("PRAGMA freelist_count") * database.Number("PRAGMA page_size"),
        FreeOn(path));

    /// <summary>The free bytes of the disk that a file is on; -1 if that is not known.</summary>
    public static long FreeOn(string path)
    {
        try
        {
            string directory = Path.GetDirectoryName(Path.GetFullPath(path))!;
            return new DriveInfo(OperatingSystem.IsWindows() ? Path.GetPathRoot(directory)! : directory).AvailableFreeSpace;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // A share without a drive, for example.
            return -1;
        }
    }

    private static long LengthOf(string path)
    {
        var file = new FileInfo(path);
        return file.Exists ? file.Length : 0;
    }
}

/// <summary>
/// A file beside the store that does nothing but take room: a host that starts on a full disk deletes it, and so has room for the epoch of
/// its start. Filled again with what room there is. The store's thread, after the opening.
/// </summary>
internal sealed class StoreBallast(string storePath)
{
    /// <summary>The bytes of a whole ballast: many times what a start writes.</summary>
    public const int BytesMax = 1_024 * 1_024;

    private const int StepBytes = 64 * 1_024;
    private readonly string _path = PathOf(storePath);
    private bool _isWhole;

    /// <summary>The ballast of a store.</summary>
    public static string PathOf(string storePath) => storePath + ".ballast";

    /// <summary>Gives its room back if the disk has less free than that. Call when a host opens the store.</summary>
    public void ReleaseIfShort()
    {
        if (StoreSpace.FreeOn(storePath) is >= 0 and < BytesMax)
        {
            TryRelease();
        }
    }

    /// <summary>Gives its room back; false if there is none.</summary>
    public bool TryRelease()
    {
        _isWhole = false;
        try
        {
            bool isThere = File.Exists(_path);
            File.Delete(_path);
            return isThere;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>
    /// Takes room until it is whole, but never more than half of what there is, so that a small disk is not filled by it.
    /// </summary>
    public void Fill()
    {
        if (_isWhole)
        {
            return;
        }

        try
        {
            using var file = new FileStream(_path, Options());
            long free = Math.Max(0, StoreSpace.FreeOn(storePath));
            long wanted = Math.Min(BytesMax, (file.Length + free) / 2);
            file.Position = file.Length;
            while (file.Length + StepBytes <= wanted)
            {
                // Not zeros: a file system that compresses would reserve nothing for them.
                file.Write(RandomNumberGenerator.GetBytes(StepBytes));
            }

            _isWhole = file.Length + StepBytes > BytesMax;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // No room: it takes some when there is.
        }
    }

    private static FileStreamOptions Options()
    {
        var options = new FileStreamOptions { Mode = FileMode.OpenOrCreate, Access = FileAccess.Write, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        return options;
    }
}
