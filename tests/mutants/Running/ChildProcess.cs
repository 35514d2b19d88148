using System.Diagnostics;
using System.Text;

namespace Ripple.Mutants.Running;

/// <summary>A program that is run to its end, or killed with all that it started when its time is over.</summary>
internal sealed class ChildProcess(string program, IReadOnlyList<string> arguments, string folder)
{
    private const int OutputCharsMax = 8_000_000;
    private static readonly TimeSpan ReadLimit = TimeSpan.FromSeconds(5);
    private readonly StringBuilder _output = new();

    /// <summary>Variables that the program gets besides those of this process.</summary>
    public Dictionary<string, string> Environment { get; } = new(StringComparer.Ordinal);

    public ChildResult Run(TimeSpan limit)
    {
        long startedAt = Stopwatch.GetTimestamp();
        using Process process = Start();
        Task errors = Task.Run(() => Read(process.StandardError));
        Task output = Task.Run(() => Read(process.StandardOutput));
        bool isTimeout = !process.WaitForExit(limit);
        if (isTimeout)
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit(ReadLimit);
        }

        // A grandchild that lives on may hold the streams open: what it prints is of no interest.
        Task.WaitAll([errors, output], ReadLimit);
        lock (_output)
        {
            return new ChildResult(isTimeout ? -1 : process.ExitCode, _output.ToString(), isTimeout, Stopwatch.GetElapsedTime(startedAt));
        }
    }

    private Process Start()
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach ((string name, string value) in Environment)
        {
            start.Environment[name] = value;
        }

        try
        {
            return Process.Start(start)!;
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new MutantException($"'{program}' cannot be started: {e.Message}");
        }
    }

    private void Read(StreamReader reader)
    {
        var buffer = new char[4_096];
        int count;
        while ((count = reader.Read(buffer)) > 0)
        {
            lock (_output)
            {
                _output.Append(buffer, 0, Math.Min(count, OutputCharsMax - _output.Length));
            }
        }
    }
}
