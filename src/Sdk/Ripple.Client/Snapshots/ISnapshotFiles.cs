using System.Security.Cryptography.X509Certificates;

namespace Ripple.Client.Snapshots;

/// <summary>
/// The files that hold snapshots: the system's, or those of a simulated disk. Every method may throw <see cref="IOException"/> or
/// <see cref="UnauthorizedAccessException"/>, and blocks.
/// </summary>
internal interface ISnapshotFiles
{
    /// <summary>Creates the missing directories of a path, each accessible only to its owner.</summary>
    void MakeDirectory(string path);

    /// <summary>
    /// Throws unless a directory belongs to this user. Removes the right of others to write to it.
    /// </summary>
    void DemandOwnDirectory(string path);

    /// <summary>Creates a file if it is missing and locks it until the result is disposed of; null if another process holds it.</summary>
    IDisposable? TryLock(string path);

    /// <summary>The directories in a directory whose names match a pattern, in no particular order.</summary>
    IEnumerable<string> Directories(string parent, string pattern);

    /// <summary>Opens an ordinary file of this user or of root; its length is known. Links and pipes are refused.</summary>
    Stream OpenRead(string path);

    /// <summary>
    /// Creates or replaces a file accessible only to its owner, and writes through no link. Its content, but not yet its
    /// name, is durable on return.
    /// </summary>
    void Write(string path, Action<Stream> content);

    /// <summary>Creates or replaces a small text file, without making it durable.</summary>
    void WriteText(string path, string text);

    /// <summary>Renames a file, replacing the one of the new name.</summary>
    void Move(string path, string newPath);

    /// <summary>Makes the names in a directory durable.</summary>
    void FlushDirectory(string path);

    /// <summary>Reads a certificate with its key; null if there is no valid one.</summary>
    X509Certificate2? TryLoadCertificate(string path);

    /// <summary>Saves a certificate with its key, accessible only to its owner.</summary>
    void SaveCertificate(string path, X509Certificate2 certificate);
}
