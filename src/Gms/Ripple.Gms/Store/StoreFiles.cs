using Ripple.Trust;

namespace Ripple.Gms.Store;

/// <summary>The files of a store: readable only by their owner, opened by only one host at a time.</summary>
internal static class StoreFiles
{
    /// <summary>Creates the directory (0700) and the file (0600) if missing. SQLite gives its other files the mode of the first.</summary>
    public static void Prepare(string path)
    {
        const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        try
        {
            string directory = Path.GetDirectoryName(Path.GetFullPath(path))!;
            if (OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(directory);
                return;
            }

            Directory.CreateDirectory(directory, Owner | UnixFileMode.UserExecute);
            foreach (string suffix in (ReadOnlySpan<string>)["", "-wal", "-shm", "-journal", ".lock", ".mark", ".ballast"])
            {
                if (FileOwner.RefuseFile(path + suffix) is { } refusal)
                {
                    throw new StoreException($"The store '{path}' is not opened: {refusal}");
                }
            }

            using (new FileStream(path, new FileStreamOptions
            {
                Mode = FileMode.OpenOrCreate,
                Access = FileAccess.ReadWrite,
                Share = FileShare.ReadWrite,
                UnixCreateMode = Owner,
            }))
            {
            }

            File.SetUnixFileMode(path, Owner);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new StoreException(
                $"The store '{path}' cannot be made or written ({e.Message}). Give a path that this user may write.", e);
        }
    }

    /// <summary>Takes the host's lock; held until disposed, and released by the system if the process dies.</summary>
    public static IDisposable Lock(string path)
    {
        string lockPath = path + ".lock";
        try
        {
            return new FileStream(lockPath, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new StoreException(
                $"The store '{path}' is in use by another host, or '{lockPath}' cannot be written ({e.Message}). "
                    + $"Stop the other host, or give another path.",
                e);
        }
    }
}
