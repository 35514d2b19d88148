using System.Globalization;

namespace Ripple.Attacks.Stages;

/// <summary>Memory of other processes.</summary>
internal static class Memory
{
    /// <summary>Resident memory, in megabytes; 0 of a process that is gone.</summary>
    public static double ResidentMb(int processId)
    {
        try
        {
            string line = File.ReadLines($"/proc/{processId.ToString(CultureInfo.InvariantCulture)}/status")
                .First(l => l.StartsWith("VmRSS:", StringComparison.Ordinal));
            return double.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2], CultureInfo.InvariantCulture) * 1_024 / 1e6;
        }
        catch (Exception e) when (e is IOException or InvalidOperationException)
        {
            return 0;
        }
    }
}
