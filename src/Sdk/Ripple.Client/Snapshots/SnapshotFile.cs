using System.Globalization;
using System.Text;
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
        string temporary = path + ".new";
        files.Write(temporary, file => SnapshotEncoder.Write(file, snapshot, authority, signerOf));
        files.Move(temporary, path);
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

/// <summary>
/// The size of a snapshot's file, computed before it is written: a file too large to be read must not replace one that can be read.
/// </summary>
internal static class SnapshotSize
{
    /// <summary>Headers of two chains, certificates and signatures.</summary>
    private const long HeadBytesMax = 16L << 20;

    /// <summary>A key besides its text: lengths, digest, form and place.</summary>
    private const int KeyBytes = 2 + Digest160.Size + 4 + 1 + 1;

    /// <summary>Checks that the file can be read again.</summary>
    /// <exception cref="IOException">It would be larger than <see cref="SnapshotFormat.FileBytesMax"/>.</exception>
    public static void Check(ReplicaSnapshot snapshot)
    {
        long bytes = HeadBytesMax + Of(snapshot.Received, null);
        if (!ReferenceEquals(snapshot.Applied, snapshot.Received))
        {
            bytes += Of(snapshot.Applied, snapshot.Received);
        }

        if (bytes > SnapshotFormat.FileBytesMax)
        {
            throw new IOException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"It would have {bytes >> 20} MiB, and a snapshot has 1 GiB at most: take fewer keys, or smaller values."));
        }
    }

    private static long Of(ApplicationState state, ApplicationState? other)
    {
        long bytes = 0;
        foreach ((string key, KeyEntry entry) in state.Keys.Keys)
        {
            bytes += KeyBytes + Encoding.UTF8.GetByteCount(key);
            bool isShared = other is not null && other.Keys.Keys.TryGetValue(key, out KeyEntry same) && same == entry;
            bytes += !isShared && state.Values.ContainsKey(key) ? entry.Length : 0;
        }

        return bytes;
    }
}
