using System.Diagnostics;
using System.Globalization;

namespace Ripple.Load.Processes;

/// <summary>Stops processes for a while, as a machine that is starved of its processors does, and lets them go on.</summary>
internal static class Stall
{
    // One shell does both, and heeds no signal meanwhile: nobody stays stopped when this program ends before.
    private const string Script = "trap '' INT TERM HUP; kill -STOP \"$@\"; sleep \"$0\"; kill -CONT \"$@\"";

    /// <summary>Returns when they go on.</summary>
    public static async Task RunAsync(IEnumerable<Child> children, TimeSpan time)
    {
        string seconds = time.TotalSeconds.ToString("F3", CultureInfo.InvariantCulture);
        IEnumerable<string> ids = children.Select(c => c.ProcessId.ToString(CultureInfo.InvariantCulture));
        using Process shell = Process.Start(new ProcessStartInfo("sh", ["-c", Script, seconds, .. ids]))!;
        await shell.WaitForExitAsync();
        if (shell.ExitCode != 0)
        {
            throw new InvalidOperationException("Processes could not be stopped. What the shell printed is above.");
        }
    }
}
