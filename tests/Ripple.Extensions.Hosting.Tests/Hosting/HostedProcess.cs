using System.Diagnostics;
using System.Globalization;

namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>The program <c>Ripple.HostedProcess</c> as a process of its own, and what it said so far.</summary>
internal sealed class HostedProcess : IDisposable
{
    private readonly Process _process;
    private readonly List<string> _lines = [];

    private HostedProcess(Process process)
    {
        _process = process;
        _process.OutputDataReceived += (_, e) => Add(e.Data);
        _process.ErrorDataReceived += (_, e) => Add(e.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>What it said, in order.</summary>
    public string[] Lines
    {
        get
        {
            lock (_lines)
            {
                return [.. _lines];
            }
        }
    }

    /// <summary>Starts it as a node of the cluster; two that run at a time have two names.</summary>
    public static HostedProcess Start(TestCluster cluster, string name)
    {
        // bin/<configuration>/<framework> of this project: the program was built the same way.
        var own = new DirectoryInfo(AppContext.BaseDirectory);
        DirectoryInfo root = own;
        while (!File.Exists(Path.Combine(root.FullName, "Ripple.sln")))
        {
            root = root.Parent ?? throw new InvalidOperationException("The tests must run inside the repository.");
        }

        const string Program = "Ripple.HostedProcess";
        var start =
            new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true, RedirectStandardInput = true };
        start.ArgumentList.Add(Path.Combine(root.FullName, "tests", Program, "bin", own.Parent!.Name, own.Name, $"{Program}.dll"));
        start.Environment["DOTNET_ENVIRONMENT"] = "Production";
        start.Environment["ConnectionStrings__ripple"] = cluster.Connection;
        start.Environment["Ripple__ripple__NodeName"] = name;
        start.Environment["Ripple__ripple__StartupTimeout"] = TestCluster.Patience.ToString();
        start.Environment["Ripple__ripple__SnapshotPath"] = cluster.SnapshotPath(name);
        return new HostedProcess(Process.Start(start)!);
    }

    /// <summary>Waits for a line that begins with a text, among those after the first few, and returns it.</summary>
    public async Task<string> SaysAsync(string text, int after = 0)
    {
        string? said = null;
        await Poll.UntilAsync(
            () =>
            {
                said = Lines.Skip(after).FirstOrDefault(l => l.StartsWith(text, StringComparison.Ordinal));
                return said is not null || _process.HasExited;
            },
            text);
        if (said is null)
        {
            // Its last lines are read then.
            await _process.WaitForExitAsync();
            said = Lines.Skip(after).FirstOrDefault(l => l.StartsWith(text, StringComparison.Ordinal));
        }

        return said ?? throw new InvalidOperationException(
            $"It ended with {_process.ExitCode} and did not say '{text}': {string.Join('\n', Lines)}");
    }

    /// <summary>What its services are served now, and the release that its client takes for the one in effect.</summary>
    public async Task<(int Limit, ulong Release)> ServesAsync()
    {
        int before = Lines.Length;
        await _process.StandardInput.WriteLineAsync("?");
        await _process.StandardInput.FlushAsync();
        string[] words = (await SaysAsync("serves ", before)).Split(' ');
        return (int.Parse(words[1], CultureInfo.InvariantCulture), ulong.Parse(words[2], CultureInfo.InvariantCulture));
    }

    /// <summary>Sends a signal by its name: <c>STOP</c>, <c>CONT</c>.</summary>
    public async Task SignalAsync(string signal)
    {
        using Process kill = Process.Start("kill", ["-s", signal, _process.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        Assert.Equal(0, kill.ExitCode);
    }

    /// <summary>Ends it at once, without a goodbye, and waits until it is gone.</summary>
    public void Kill()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
        }

        _process.WaitForExit();
    }

    public void Dispose()
    {
        Kill();
        _process.Dispose();
    }

    private void Add(string? line)
    {
        if (line is not null)
        {
            lock (_lines)
            {
                _lines.Add(line);
            }
        }
    }
}
