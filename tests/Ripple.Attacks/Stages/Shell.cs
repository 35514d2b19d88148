using System.Diagnostics;
using System.Globalization;

namespace Ripple.Attacks.Stages;

/// <summary>Small programs of the system.</summary>
internal static class Shell
{
    /// <summary>Runs a program and gives what it printed.</summary>
    public static async Task<string> RunAsync(string program, params string[] arguments)
    {
        using Process process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        await errors;
        await process.WaitForExitAsync();
        return output;
    }

    /// <summary>Sends a signal: TERM, STOP, CONT.</summary>
    public static Task SignalAsync(string signal, int processId) =>
        RunAsync("kill", $"-{signal}", processId.ToString(CultureInfo.InvariantCulture));
}
