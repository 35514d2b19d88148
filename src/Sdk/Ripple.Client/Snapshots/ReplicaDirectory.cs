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
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
    private readonly FileStream _lock;

    private ReplicaDirectory(string path, FileStream held)
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
    public static ReplicaDirectory? TryClaim(string parent, out string error)
    {
        error = string.Create(CultureInfo.InvariantCulture, $"{ReplicasMax} clients use '{parent}' already");
        try
        {
            for (int k = 0; k < ReplicasMax; k++)
            {
                string path = System.IO.Path.Combine(parent, string.Create(CultureInfo.InvariantCulture, $"{Prefix}{k}"));
                Make(path);
                if (TryLock(System.IO.Path.Combine(path, "lock")) is { } held)
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
    public static IReadOnlyList<string> FindAll(string parent)
    {
        try
        {
            return [.. Directory.EnumerateDirectories(parent, Prefix + "*").Order(StringComparer.Ordinal).Take(ReplicasMax)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    /// <summary>Releases the directory.</summary>
    public void Dispose() => _lock.Dispose();

    /// <summary>
    /// Creates the missing directories of a path, each accessible only to its owner: the system call applies the mode only to the last one.
    /// </summary>
    private static void Make(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
            return;
        }

        if (!Directory.Exists(path))
        {
            Make(System.IO.Path.GetDirectoryName(path)!);
            Directory.CreateDirectory(path, OwnerOnly);
        }
    }

    private static FileStream? TryLock(string path)
    {
        var options = new FileStreamOptions { Mode = FileMode.OpenOrCreate, Access = FileAccess.ReadWrite, Share = FileShare.None };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        try
        {
            return new FileStream(path, options);
        }
        catch (IOException e) when (IsHeld(e))
        {
            return null;
        }
    }

    // Whether it is a sharing violation: ERROR_SHARING_VIOLATION on Windows, EWOULDBLOCK of the advisory lock elsewhere (11 on Linux, 35 on
    // macOS and BSD).
    private static bool IsHeld(IOException e) => OperatingSystem.IsWindows() ? (e.HResult & 0xFFFF) == 32 : e.HResult is 11 or 35;
}
