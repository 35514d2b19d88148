using System.Globalization;

namespace Ripple.Client.Snapshots;

/// <summary>
/// The directory of one running client: <c>&lt;base&gt;/&lt;cluster&gt;/&lt;application&gt;/replica-&lt;k&gt;</c>, claimed by a lock on the
/// file <c>lock</c> in it for as long as this object lives. Replicas of a service on one disk get different ones; a restart gets the first
/// free again.
/// </summary>
internal sealed class ReplicaDirectory : IDisposable
{
    /// <summary>The most clients of one application on one disk that keep snapshots.</summary>
    public const int ReplicasMax = 64;

    private const string Prefix = "replica-";
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
    private readonly FileStream _lock;

    private ReplicaDirectory(string path, FileStream held)
    {
        Path = path;
        _lock = held;
    }

    /// <summary>The directory; nobody else writes in it.</summary>
    public string Path { get; }

    /// <summary>Where the replicas of an application are.</summary>
    public static string ParentOf(string baseDirectory, ReadOnlySpan<byte> authority, string application) =>
        System.IO.Path.Combine(baseDirectory, Convert.ToHexStringLower(authority[..8]), application);

    /// <summary>
    /// Claims the first free one, making what is missing readable by its owner only. Null, and why, when there is none to be had.
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

    /// <summary>The replica directories that are there, claimed or not; for reading.</summary>
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

    /// <summary>Gives it back.</summary>
    public void Dispose() => _lock.Dispose();

    /// <summary>Makes what is missing of a path, each for its owner only: the system's call does so for the last alone.</summary>
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

    // A sharing violation: ERROR_SHARING_VIOLATION on Windows, EWOULDBLOCK of the advisory lock elsewhere (11 on Linux, 35 on macOS and
    // BSD).
    private static bool IsHeld(IOException e) => OperatingSystem.IsWindows() ? (e.HResult & 0xFFFF) == 32 : e.HResult is 11 or 35;
}
