namespace Ripple.Client.Snapshots;

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
