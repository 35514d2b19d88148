using System.Diagnostics;
using System.Globalization;

namespace Ripple.Load.Processes;

/// <summary>
/// Keeps one core busy when it is told to, for so many seconds, and does nothing else: another program of the same machine.
/// </summary>
internal static class SpinRole
{
    /// <summary>One argument: the number of the core. A line with seconds begins it; answers when it began and when it ended.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        if (OperatingSystem.IsLinux() || OperatingSystem.IsWindows())
        {
            using var self = Process.GetCurrentProcess();
            self.ProcessorAffinity = (nint)(1L << int.Parse(args[0], CultureInfo.InvariantCulture));
        }

        Console.WriteLine("ready");
        while (await Console.In.ReadLineAsync() is { } line)
        {
            var seconds = TimeSpan.FromSeconds(int.Parse(line, CultureInfo.InvariantCulture));
            long begin = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(begin) < seconds)
            {
                Thread.SpinWait(1_000);
            }

            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"spun {begin} {Stopwatch.GetTimestamp()}"));
        }

        return 0;
    }
}
