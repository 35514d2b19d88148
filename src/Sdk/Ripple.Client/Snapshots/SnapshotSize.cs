using System.Globalization;
using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Client.Snapshots;

/// <summary>How large a snapshot's file becomes, before it is written: one that is too large to be read again must not take the place of
/// one that can be.</summary>
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
        ArgumentNullException.ThrowIfNull(snapshot);
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
