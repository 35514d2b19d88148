using Ripple.Gms.Store.Postgres;

namespace Ripple.Gms.Server;

/// <summary>
/// The trust that the hosts of a cluster in a database share: the authority, sealed under the <see cref="ClusterKey"/>, and the
/// certificates of all that sign. The data directory has both as if the host were alone; this keeps the two alike. Blocks.
/// </summary>
internal sealed class SharedTrust(GmsDirectory directory, ClusterTrustStore store)
{
    private const string Ending = ".cer";

    /// <summary>The authority of a cluster, for a data directory that has none; null if no host has sealed it in the database.</summary>
    /// <exception cref="GmsServerException">The key is missing, or another.</exception>
    public byte[]? OpenAuthority(Guid cluster)
    {
        if (store.ReadAuthority(cluster) is not { } found)
        {
            return null;
        }

        ClusterKey key = ClusterKey.TryRead(directory.ClusterKey) ?? throw new GmsServerException(
            $"This host has no key of the cluster {cluster:N}: '{directory.ClusterKey}' is missing. Copy cluster.key from the data "
                + "directory of another host of the cluster, readable by its owner alone.");
        return key.TryOpen(cluster, found) ?? throw WrongKey(cluster);
    }

    /// <summary>Seals the authority of the data directory in a database that has none, with the key there or a new one.</summary>
    /// <exception cref="GmsServerException">The database has an authority that the key of the directory does not open.</exception>
    public void SealAuthority(Guid cluster)
    {
        if (store.ReadAuthority(cluster) is not { } found)
        {
            ClusterKey key = ClusterKey.TryRead(directory.ClusterKey) ?? ClusterKey.Make(directory.ClusterKey);
            store.AddAuthority(cluster, key.Seal(cluster, File.ReadAllBytes(directory.Authority)));
        }
        else if (ClusterKey.TryRead(directory.ClusterKey) is { } key && key.TryOpen(cluster, found) is null)
        {
            throw WrongKey(cluster);
        }
    }

    /// <summary>Gives the directory the certificates of all signers, and the database those of the directory.</summary>
    public void ShareSigners()
    {
        (string, byte[])[] own =
        [
            .. Directory.EnumerateFiles(directory.Signers, "*" + Ending)
                .Select(f => (Path.GetFileNameWithoutExtension(f), File.ReadAllBytes(f))),
        ];
        foreach ((string serial, byte[] der) in store.ShareSigners(own))
        {
            string path = Path.Combine(directory.Signers, serial + Ending);
            if (serial.All(char.IsAsciiHexDigit) && !File.Exists(path))
            {
                File.WriteAllBytes(path, der);
            }
        }
    }

    private GmsServerException WrongKey(Guid cluster) => new(
        $"'{directory.ClusterKey}' is not the key of the cluster {cluster:N} in this database. Copy cluster.key from the data directory of "
            + "another host of the cluster.");
}
