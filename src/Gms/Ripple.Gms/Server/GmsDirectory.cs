namespace Ripple.Gms.Server;

/// <summary>The names of what a host keeps in its data directory. All of it is readable by its owner alone.</summary>
/// <param name="Path">The directory, absolute.</param>
public sealed record GmsDirectory(string Path)
{
    /// <summary>The store: one SQLite file, with its log beside it.</summary>
    public string Store => In("ripple.db");

    /// <summary>
    /// The cluster's authority, certificate and key. Whoever has it can be anybody in the cluster; without it the cluster is lost.
    /// </summary>
    public string Authority => In("authority.pem");

    /// <summary>The host's TLS certificate and key.</summary>
    public string Host => In("host.pem");

    /// <summary>The host's release-signing certificate and key.</summary>
    public string Signer => In("signer.pem");

    /// <summary>Certificates, without keys, of all keys this host has signed with.</summary>
    public string Signers => In("signers");

    /// <summary>The connection string of nodes of the default application.</summary>
    public string ClientConnection => In("client.connection");

    /// <summary>The connection string of administrators.</summary>
    public string AdminConnection => In("admin.connection");

    private string In(string name) => System.IO.Path.Combine(Path, name);
}
