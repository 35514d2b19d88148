namespace Ripple.Client.Snapshots;

/// <summary>Where snapshots may be kept, best first.</summary>
internal static class SnapshotPaths
{
    /// <summary>The variable that names the directory for every client of a process.</summary>
    public const string Variable = "RIPPLE_STATE_DIRECTORY";

    /// <summary>The directories to try, in order. One that somebody named is the only one.</summary>
    /// <param name="option">What the program says; null for nothing.</param>
    /// <param name="environment">Reads a variable of the environment.</param>
    /// <param name="isWindows">Which conventions hold.</param>
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
        // systemd gives several directories separated by colons; the first is the service's main one.
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
