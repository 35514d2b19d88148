using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Ripple.Load.Processes;

/// <summary>
/// What the kernel counted on open TCP connections. Taken from <c>ss</c>, because TLS writes are not counted in the process.
/// </summary>
internal static partial class TcpBytes
{
    /// <summary>Bytes sent over the connections that a port accepted and that are open; -1 where they cannot be told.</summary>
    public static async Task<long> SentByAsync(int port)
    {
        var start = new ProcessStartInfo("ss", $"-tinH state established sport = :{port.ToString(CultureInfo.InvariantCulture)}")
        {
            RedirectStandardOutput = true,
        };
        try
        {
            using Process process = Process.Start(start)!;
            string text = await process.StandardOutput.ReadToEndAsync();
            await process.WaitForExitAsync();
            return process.ExitCode == 0
                ? Sent().Matches(text).Sum(m => long.Parse(m.Groups[1].ValueSpan, CultureInfo.InvariantCulture))
                : -1;
        }
        catch (Win32Exception)
        {
            return -1;
        }
    }

    [GeneratedRegex(@"bytes_sent:(\d+)")]
    private static partial Regex Sent();
}
