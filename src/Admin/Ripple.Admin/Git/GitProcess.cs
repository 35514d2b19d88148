using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace Ripple.Admin.Git;

/// <summary>Runs the <c>git</c> found on the path, without a shell. Thread-safe.</summary>
internal static class GitProcess
{
    /// <summary>
    /// The folder may belong to someone else, and a repository's own configuration can name programs: none of them is run. Missing objects
    /// stay missing: nothing is fetched, over any protocol.
    /// </summary>
    private static readonly string[] Safe =
    [
        "--no-pager",
        "--no-optional-locks",
        "-c", "core.fsmonitor=false",
        "-c", "core.hooksPath=/dev/null",
        "-c", "core.sshCommand=false",
        "-c", "protocol.allow=never",
        "-c", "credential.helper=",
        "-c", "log.showSignature=false",
    ];

    /// <summary>Starts git; the caller disposes the process.</summary>
    /// <exception cref="RippleAdminException">git cannot be started.</exception>
    public static Process Start(string folder, params ReadOnlySpan<string> arguments)
    {
        var start = new ProcessStartInfo("git")
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardErrorEncoding = Encoding.UTF8,
            UseShellExecute = false,
            CreateNoWindow = true,
        };
        foreach (string argument in (ReadOnlySpan<string>)[.. Safe, "-C", folder, .. arguments])
        {
            start.ArgumentList.Add(argument);
        }

        // These variables could direct git to another repository, other objects or other programs.
        foreach (string name in start.Environment.Keys.Where(n => n.StartsWith("GIT_", StringComparison.OrdinalIgnoreCase)).ToArray())
        {
            start.Environment.Remove(name);
        }

        start.Environment["GIT_TERMINAL_PROMPT"] = "0";
        start.Environment["GIT_NO_LAZY_FETCH"] = "1";
        start.Environment["GIT_ALLOW_PROTOCOL"] = string.Empty;
        start.Environment["LC_ALL"] = "C";
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception e)
        {
            throw new RippleAdminException(
                AdminFailure.Refused, $"git cannot be started ({e.Message}). Install it, and see that it is on the path.", e);
        }
    }

    /// <summary>Runs git to completion; returns its output, read as UTF-8.</summary>
    /// <exception cref="RippleAdminException">git failed; the message contains its error output.</exception>
    public static async Task<string> RunAsync(string folder, CancellationToken cancellationToken, params string[] arguments)
    {
        using Process process = Start(folder, arguments);
        try
        {
            process.StandardInput.Close();
            Task<string> error = process.StandardError.ReadToEndAsync(cancellationToken);
            using var output = new MemoryStream();
            await process.StandardOutput.BaseStream.CopyToAsync(output, cancellationToken).ConfigureAwait(false);
            await process.WaitForExitAsync(cancellationToken).ConfigureAwait(false);
            string said = (await error.ConfigureAwait(false)).Trim();
            return process.ExitCode == 0
                ? Encoding.UTF8.GetString(output.GetBuffer().AsSpan(0, (int)output.Length))
                : throw new RippleAdminException(AdminFailure.Refused, $"git {arguments[0]} failed in '{folder}': {said}");
        }
        finally
        {
            Kill(process);
        }
    }

    /// <summary>Kills the process if it is still running.</summary>
    public static void Kill(Process process)
    {
        try
        {
            process.Kill();
        }
        catch (InvalidOperationException)
        {
            // It has already exited.
        }
    }
}
