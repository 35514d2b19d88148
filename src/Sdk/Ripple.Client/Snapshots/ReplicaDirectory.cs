using System.Globalization;

namespace Ripple.Client.Snapshots;

/// <summary>
/// The directory of one running client: <c>&lt;base&gt;/&lt;cluster&gt;/&lt;application&gt;/replica-&lt;k&gt;</c>, claimed by a lock on its
/// file <c>lock</c> for the lifetime of this object. Replicas of a service on one disk get different directories; a restarted one claims
/// the first free directory again.
/// </summary>
internal sealed class ReplicaDirectory : IDisposable
{
    /// <summary>Maximum number of clients of one application on one disk that keep snapshots.</summary>
    public const int ReplicasMax = 64;

    private const string Prefix = "replica-";
    private readonly IDisposable _lock;

    private ReplicaDirectory(string path, IDisposable held)
    {
        Path = path;
        _lock = held;
    }

    /// <summary>The directory; no other client writes to it.</summary>
    public string Path { get; }

    /// <summary>The directory containing the replicas of an application.</summary>
    public static string ParentOf(string baseDirectory, ReadOnlySpan<byte> authority, string application) =>
        System.IO.Path.Combine(baseDirectory, Convert.ToHexStringLower(authority[..8]), application);

    /// <summary>
    /// Claims the first free directory, creating missing ones accessible only to their owner. Null if none can be claimed, with the reason.
    /// </summary>
    public static ReplicaDirectory? TryClaim(ISnapshotFiles files, string parent, out string error)
    {
        error = string.Create(CultureInfo.InvariantCulture, $"{ReplicasMax} clients use '{parent}' already");
        try
        {
            for (int k = 0; k < ReplicasMax; k++)
            {
                string path = System.IO.Path.Combine(parent, string.Create(CultureInfo.InvariantCulture, $"{Prefix}{k}"));
                files.MakeDirectory(path);
                // What this library made: the cluster's, the application's and the replica's. The one above is the administrator's.
                files.DemandOwnDirectory(System.IO.Path.GetDirectoryName(parent)!);
                files.DemandOwnDirectory(parent);
                files.DemandOwnDirectory(path);
                if (files.TryLock(System.IO.Path.Combine(path, "lock")) is { } held)
                {
                    return new(path, held);
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            error = e.Message;
        }

        return null;
    }

    /// <summary>The existing replica directories, claimed or not; for reading.</summary>
    public static IReadOnlyList<string> FindAll(ISnapshotFiles files, string parent)
    {
        try
        {
            return [.. files.Directories(parent, Prefix + "*").Order(StringComparer.Ordinal).Take(ReplicasMax)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>Releases the directory.</summary>
    public void Dispose() => _lock.Dispose();
}
