namespace Ripple.Gms.Server;

/// <summary>The paths of a host's files in its data directory. Only their owner can read them.</summary>
/// <param name="Path">The directory, absolute.</param>
public sealed record GmsDirectory(string Path)
{
    /// <summary>The store: one SQLite file with its write-ahead log beside it.</summary>
    public string Store => In("ripple.db");

    /// <summary>
    /// What the host saw last of the database that keeps its store, where one does: <c>database.mark</c> and <c>database.position</c>.
    /// </summary>
    public string Database => In("database");

    /// <summary>
    /// The cluster's authority, certificate and key. Its holder can impersonate anyone in the cluster; without it the cluster is lost.
    /// </summary>
    public string Authority => In("authority.pem");

    /// <summary>
    /// The key that the hosts of a cluster in a database have in common: the first one makes it, and each further host is given a copy.
    /// Its holder can, with the database, impersonate anyone in the cluster.
    /// </summary>
    public string ClusterKey => In("cluster.key");

    /// <summary>The host's TLS certificate and key.</summary>
    public string Host => In("host.pem");

    /// <summary>The host's release-signing certificate and key.</summary>
    public string Signer => In("signer.pem");

    /// <summary>Certificates, without keys, of all keys this host has signed with.</summary>
    public string Signers => In("signers");

    /// <summary>The connection string for nodes of the default application.</summary>
    public string ClientConnection => In("client.connection");

    /// <summary>The connection string for administrators.</summary>
    public string AdminConnection => In("admin.connection");

    private string In(string name) => System.IO.Path.Combine(Path, name);
}
