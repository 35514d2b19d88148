using System.Diagnostics;
using System.Text;

namespace Ripple.Samples.Tests;

/// <summary>A built sample, run as a user would run it.</summary>
internal sealed class SampleProgram : IDisposable
{
    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly Lock _lock = new();

    private SampleProgram(Process process)
    {
        _process = process;
        _process.OutputDataReceived += (_, e) => Add(e.Data);
        _process.ErrorDataReceived += (_, e) => Add(e.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public int ProcessId => _process.Id;

    public string Output
    {
        get
        {
            lock (_lock)
            {
                return _output.ToString();
            }
        }
    }

    public string LastLine => Output.TrimEnd().Split('\n')[^1].TrimEnd();

    /// <param name="sample">Its name.</param>
    /// <param name="environment">Variables besides those of the test.</param>
    /// <param name="arguments">Its arguments.</param>
    public static SampleProgram Start(string sample, IEnumerable<KeyValuePair<string, string>> environment, params string[] arguments)
    {
        // bin/<configuration>/<framework> of this project: the sample was built the same way.
        var own = new DirectoryInfo(AppContext.BaseDirectory);
        string configuration = own.Parent!.Name;
        DirectoryInfo root = own;
        while (!File.Exists(Path.Combine(root.FullName, "Ripple.sln")))
        {
            root = root.Parent ?? throw new InvalidOperationException("The tests must run inside the repository.");
        }

        string program = Path.Combine(root.FullName, "samples", sample, "bin", configuration, own.Name, $"{sample}.dll");
        var start =
            new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = true };
        foreach (string argument in arguments.Prepend(program))
        {
            start.ArgumentList.Add(argument);
        }

        foreach ((string variable, string value) in environment)
        {
            start.Environment[variable] = value;
        }

        return new SampleProgram(Process.Start(start)!);
    }

    public async Task<int> EndAsync(CancellationToken cancellationToken)
    {
        await _process.WaitForExitAsync(cancellationToken);
        return _process.ExitCode;
    }

    public async Task SaysAsync(string text, CancellationToken cancellationToken)
    {
        while (!Output.Contains(text, StringComparison.Ordinal))
        {
            Assert.False(_process.HasExited, Output);
            await Task.Delay(100, cancellationToken);
        }
    }

    public void Kill() => _process.Kill();

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
        }

        _process.Dispose();
    }

    private void Add(string? line)
    {
        lock (_lock)
        {
            _output.AppendLine(line);
        }
    }
}
