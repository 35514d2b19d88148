using System.Diagnostics;
using Ripple.Cli.Tests.Hosting;

namespace Ripple.Cli.Tests.Processes;

/// <summary>The program in a process of its own.</summary>
internal static class CliProcess
{
    public static Process Start(string connectionFile, params string[] args)
    {
        var start = new ProcessStartInfo(
            Environment.ProcessPath is { } host && Path.GetFileNameWithoutExtension(host) == "dotnet" ? host : "dotnet")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (string argument in (ReadOnlySpan<string>)[Path.Combine(AppContext.BaseDirectory, "Ripple.Cli.dll"), .. args])
        {
            start.ArgumentList.Add(argument);
        }

        start.Environment.Remove("RIPPLE_CONNECTION");
        start.Environment["RIPPLE_CONNECTION_FILE"] = connectionFile;
        return Process.Start(start)!;
    }

    public static async Task<CliRun> RunAsync(string connectionFile, params string[] args)
    {
        using Process process = Start(connectionFile, args);
        process.StandardInput.Close();
        return await EndAsync(process);
    }

    /// <summary>What it said, when it has ended.</summary>
    public static async Task<CliRun> EndAsync(Process process)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(CliHost.Patience);
        Task<string> error = process.StandardError.ReadToEndAsync(limit.Token);
        using var output = new MemoryStream();
        await process.StandardOutput.BaseStream.CopyToAsync(output, limit.Token);
        await process.WaitForExitAsync(limit.Token);
        return new CliRun(process.ExitCode, output.ToArray(), await error);
    }
}
