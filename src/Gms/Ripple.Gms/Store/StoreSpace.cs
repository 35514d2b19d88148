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
