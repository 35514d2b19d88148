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
                // This library creates the directories of cluster, application and replica. The one above is the administrator's.
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

/// <summary>Directories in which snapshots may be kept, in order of preference.</summary>
internal static class SnapshotPaths
{
    /// <summary>The environment variable that sets the directory for every client of a process.</summary>
    public const string Variable = "RIPPLE_STATE_DIRECTORY";

    /// <summary>The directories to try, in order. A directory set by option or variable is the only one.</summary>
    /// <param name="option">The directory set by the program; null if not set.</param>
    /// <param name="environment">Reads an environment variable.</param>
    /// <param name="isWindows">Whether Windows conventions apply.</param>
    public static IReadOnlyList<string> Candidates(string? option, Func<string, string?> environment, bool isWindows)
    {
        if (!string.IsNullOrWhiteSpace(option))
        {
            return [Path.GetFullPath(option)];
        }

        if (environment(Variable) is { } named && !string.IsNullOrWhiteSpace(named))
        {
            return [Path.GetFullPath(named)];
        }

        var candidates = new List<string>();
        // systemd passes several directories separated by colons; the first is the service's main one.
        Add(candidates, environment("STATE_DIRECTORY")?.Split(':')[0], "ripple");
        if (isWindows)
        {
            Add(candidates, environment("LOCALAPPDATA"), "Ripple");
        }
        else
        {
            Add(candidates, environment("XDG_STATE_HOME"), "ripple");
            Add(candidates, environment("HOME"), Path.Combine(".local", "state", "ripple"));
        }

        return candidates;
    }

    private static void Add(List<string> candidates, string? parent, string child)
    {
        if (!string.IsNullOrWhiteSpace(parent) && Path.IsPathRooted(parent))
        {
            candidates.Add(Path.Combine(parent, child));
        }
    }
}
