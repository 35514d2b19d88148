using System.Globalization;

namespace Ripple.Mutants.Running;

/// <summary>The mutants whose body a run entered: the others cannot have changed it, so nobody needs to look for them there.</summary>
internal static class ReachedMutants
{
    /// <summary>Reads what the assemblies of a process left in a folder, a number a line.</summary>
    public static IReadOnlySet<int> Read(string folder) =>
        Directory.EnumerateFiles(folder)
            .SelectMany(File.ReadAllLines)
            .Where(line => line.Length > 0)
            .Select(line => int.Parse(line, NumberStyles.None, CultureInfo.InvariantCulture))
            .ToHashSet();
}
