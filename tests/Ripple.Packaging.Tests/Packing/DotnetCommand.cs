using System.Diagnostics;

namespace Ripple.Packaging.Tests.Packing;

/// <summary>A program run to its end, with all it said.</summary>
/// <param name="ExitCode">How it ended.</param>
/// <param name="Output">What it wrote, both streams together.</param>
internal sealed record DotnetCommand(int ExitCode, string Output)
{
    /// <summary>Runs a program, in a folder; fails the test when it fails.</summary>
    public static async Task<string> RunAsync(string program, string folder, CancellationToken cancellationToken, params string[] arguments)
    {
        DotnetCommand result = await TryAsync(program, folder, environment: null, cancellationToken, arguments);
        Assert.True(result.ExitCode == 0, $"{program} {string.Join(' ', arguments)}\n{result.Output}");
        return result.Output;
    }

    /// <summary>Runs a program, in a folder, whatever comes of it. It ends with the test.</summary>
    /// <param name="program">The program.</param>
    /// <param name="folder">The folder it runs in.</param>
    /// <param name="environment">Variables it has besides those of this process; null for none.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <param name="arguments">Its arguments.</param>
    public static async Task<DotnetCommand> TryAsync(
        string program,
        string folder,
        IReadOnlyDictionary<string, string>? environment,
        CancellationToken cancellationToken,
        params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        // What runs these tests must not tell what they run how to build.
        foreach (string variable in start.Environment.Keys.Where(
            k => k.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase) || k is "DOTNET_STARTUP_HOOKS" or "CI").ToArray())
        {
            start.Environment.Remove(variable);
        }

        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1";
        start.Environment["DOTNET_NOLOGO"] = "1";
        // A server that stays would hold the pipes, and the test with them.
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0";
        start.Environment["UseSharedCompilation"] = "false";
        foreach ((string name, string value) in environment ?? new Dictionary<string, string>())
        {
            start.Environment[name] = value;
        }

        using var process = Process.Start(start)!;
        try
        {
            process.StandardInput.Close();
            Task<string> output = process.StandardOutput.ReadToEndAsync(cancellationToken);
            Task<string> error = process.StandardError.ReadToEndAsync(cancellationToken);
            string text = await output + await error;
            await process.WaitForExitAsync(cancellationToken);
            return new DotnetCommand(process.ExitCode, text);
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
