using System.Diagnostics;
using Ripple.PowerShell.Tests.Module;

namespace Ripple.PowerShell.Tests.RealHost;

/// <summary>A PowerShell that the build made, so that there is one wherever these tests run; it is the first on its own path.</summary>
internal static class RealPowerShell
{
    private static readonly string Folder = Path.Combine(
        BuiltModule.Root,
        "tests",
        "Ripple.PowerShellProgram",
        "bin",
        new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name,
        new DirectoryInfo(AppContext.BaseDirectory).Name);

    /// <summary>Runs a script file to its end, without a profile, and with nobody to be asked.</summary>
    /// <returns>What it wrote, errors last, and its exit code.</returns>
    public static async Task<(string Output, int ExitCode)> RunAsync(
        string script, IEnumerable<string> arguments, CancellationToken cancellationToken)
    {
        string program = Path.Combine(Folder, OperatingSystem.IsWindows() ? "pwsh.exe" : "pwsh");
        var start = new ProcessStartInfo(program, ["-NoProfile", "-NonInteractive", "-File", script, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        start.Environment["PATH"] = $"{Folder}{Path.PathSeparator}{Environment.GetEnvironmentVariable("PATH")}";
        start.Environment["NO_COLOR"] = "1";
        start.Environment["POWERSHELL_TELEMETRY_OPTOUT"] = "1";
        using var process = Process.Start(start)!;
        try
        {
            process.StandardInput.Close();
            Task<string> error = process.StandardError.ReadToEndAsync(cancellationToken);
            string output = await process.StandardOutput.ReadToEndAsync(cancellationToken) + await error;
            await process.WaitForExitAsync(cancellationToken);
            return (output, process.ExitCode);
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }
}
