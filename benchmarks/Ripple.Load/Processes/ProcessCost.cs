using System.Diagnostics;
using System.Globalization;

namespace Ripple.Load.Processes;

/// <summary>What this process used so far.</summary>
internal static class ProcessCost
{
    /// <summary>Processor time, user and kernel, in milliseconds.</summary>
    public static double CpuMs => Environment.CpuUsage.TotalTime.TotalMilliseconds;

    /// <summary>Memory in use, in megabytes.</summary>
    public static double RssMb
    {
        get
        {
            using var self = Process.GetCurrentProcess();
            return self.WorkingSet64 / 1e6;
        }
    }

    public static string Text(double value) => value.ToString("F3", CultureInfo.InvariantCulture);

    public static double Read(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
