using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Ripple.Load.Matching;

/// <summary>A program in C that does the same work, compiled here; removed with it.</summary>
internal sealed partial class CeilingProgram : IDisposable
{
    private readonly string _program = Path.Combine(Path.GetTempPath(), $"ripple-ceiling-{Environment.ProcessId}");

    private CeilingProgram()
    {
    }

    /// <summary>Null, and why, when it cannot be compiled.</summary>
    public static CeilingProgram? Compile(string source, out string reason)
    {
        var program = new CeilingProgram();
        try
        {
            (int exitCode, string output) = Run("cc", "-O3", "-march=native", "-o", program._program, source, "-lm");
            reason = exitCode == 0 ? string.Empty : $"cc does not compile {source}: {output}";
            return exitCode == 0 ? program : null;
        }
        catch (Win32Exception e)
        {
            reason = $"cc cannot be started ({e.Message}). Install a C compiler.";
            return null;
        }
    }

    /// <summary>Runs it once: the events in a second of its fastest way.</summary>
    /// <exception cref="InvalidOperationException">It failed, or printed no such figure.</exception>
    public double Measure(int boxes)
    {
        (int exitCode, string output) = Run(_program, boxes.ToString(CultureInfo.InvariantCulture));
        double[] figures =
        [
            .. from figure in Figure().Matches(output)
               select double.Parse(figure.Groups[1].ValueSpan, NumberStyles.Float, CultureInfo.InvariantCulture),
        ];
        return exitCode == 0 && figures.Length > 0
            ? figures.Max()
            : throw new InvalidOperationException($"The C program ended with {exitCode} and printed no 'N ev/s': {output}");
    }

    public void Dispose() => File.Delete(_program);

    [GeneratedRegex(@"([0-9]+(?:\.[0-9]+)?) ev/s")]
    private static partial Regex Figure();

    private static (int ExitCode, string Output) Run(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output + errors.GetAwaiter().GetResult());
    }
}
