using Ripple.Engine.Releases;

namespace Ripple.Client.Snapshots;

/// <summary>
/// One application's snapshot on disk. Written atomically: when <see cref="Write"/> returns, the file is complete and durable; until then
/// the previous one remains.
/// </summary>
internal static class SnapshotFile
{
    /// <summary>
    /// Writes a temporary file next to the path, flushes it, renames it over the path, and flushes the directory. Each directory has one
    /// writer, ensured by its lock.
    /// </summary>
    /// <exception cref="IOException">The disk is full or failed, or the file would be too large to be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The directory is no longer writable.</exception>
    public static void Write(
        ISnapshotFiles files,
        string path,
        ReplicaSnapshot snapshot,
        ReadOnlyMemory<byte> authority,
        Func<ulong, ReadOnlyMemory<byte>> signerOf)
    {
        SnapshotSize.Check(snapshot);
        string beside = path + ".new";
        files.Write(beside, file => SnapshotEncoder.Write(file, snapshot, authority, signerOf));
        files.Move(beside, path);
        files.FlushDirectory(Path.GetDirectoryName(path)!);
    }

    /// <summary>
    /// Reads a file. Null with an empty error if it does not exist; null with the reason if it is unreadable or not a valid snapshot.
    /// </summary>
    public static Snapshot? TryRead(ISnapshotFiles files, string path, out string error)
    {
        error = string.Empty;
        try
        {
            using Stream file = files.OpenRead(path);
            if (file.Length > SnapshotFormat.FileBytesMax)
            {
                error = "it is larger than 1 GiB";
                return null;
            }

            byte[] content = new byte[file.Length];
            file.ReadExactly(content);
            return SnapshotDecoder.TryRead(content, out error);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            error = e.Message;
            return null;
        }
    }
}
