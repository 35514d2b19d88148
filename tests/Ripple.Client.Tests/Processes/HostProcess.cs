using System.Diagnostics;
using System.Globalization;

namespace Ripple.Client.Tests.Processes;

/// <summary>
/// The host program in its own process, on one directory and fixed ports: it can be killed, and started again as the same host.
/// </summary>
internal sealed class HostProcess : IAsyncDisposable
{
    public const string Application = "shop";

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private readonly string _folder = Directory.CreateTempSubdirectory("ripple-process-").FullName;
    private readonly string _control = $"127.0.0.1:{TestPorts.Tcp()}";
    private readonly string _dataPort = TestPorts.Udp().ToString(CultureInfo.InvariantCulture);
    private readonly string _repairPort = TestPorts.Udp().ToString(CultureInfo.InvariantCulture);
    private Process? _process;

    /// <summary>Its data directory.</summary>
    public string Data => Path.Combine(_folder, "data");

    public string ClientConnection => File.ReadAllText(Path.Combine(Data, "client.connection"));

    public string AdminConnection => File.ReadAllText(Path.Combine(Data, "admin.connection"));

    /// <summary>Starts it, and returns when it takes connections.</summary>
    public async Task StartAsync()
    {
        Process process = Launch(
            "--data",
            Data,
            "--listen",
            _control,
            "--health",
            "off",
            "--application",
            Application,
            "--data-port",
            _dataPort,
            "--repair-port",
            _repairPort);
        _process = process;
        using var limit = new CancellationTokenSource(Patience);
        var said = new List<string>();
        while (await process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
        {
            said.Add(line);
            if (line == "ready")
            {
                // Read on: a full pipe would stop it.
                _ = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
                return;
            }
        }

        throw new InvalidOperationException($"The host ended before it was ready: {string.Join('\n', said)}");
    }

    /// <summary>Kills it: nothing it planned to do happens.</summary>
    public async Task KillAsync()
    {
        _process!.Kill();
        await ForgetAsync();
    }

    /// <summary>Lets it stop.</summary>
    public async Task StopAsync()
    {
        using Process kill = Process.Start("kill", ["-TERM", _process!.Id.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
        await ForgetAsync();
    }

    /// <summary>Copies what is in the data directory, beside it.</summary>
    public void SaveCopy() => Copy(Data, Path.Combine(_folder, "copy"));

    /// <summary>Puts the copy in the place of the data directory; the host is down.</summary>
    public void RestoreCopy()
    {
        Directory.Delete(Data, recursive: true);
        Copy(Path.Combine(_folder, "copy"), Data);
    }

    /// <summary>What a command of the program prints about the directory; the host is down.</summary>
    public async Task<string> RunAsync(params string[] arguments)
    {
        using Process process = Launch([.. arguments, "--data", Data]);
        using var limit = new CancellationTokenSource(Patience);
        string output = await process.StandardOutput.ReadToEndAsync(limit.Token);
        await process.WaitForExitAsync(limit.Token);
        return output;
    }

    public async ValueTask DisposeAsync()
    {
        if (_process is not null)
        {
            await KillAsync();
        }

        Directory.Delete(_folder, recursive: true);
    }

    private static Process Launch(params string[] arguments)
    {
        string program = FindProgram();
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, UseShellExecute = false };
        start.ArgumentList.Add(program);
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        return Process.Start(start)!;
    }

    /// <summary>The program built with this test: the same configuration and framework.</summary>
    private static string FindProgram()
    {
        var output = new DirectoryInfo(AppContext.BaseDirectory);
        string framework = output.Name;
        string configuration = output.Parent!.Name;
        for (DirectoryInfo? folder = output; folder is not null; folder = folder.Parent)
        {
            string program = Path.Combine(
                folder.FullName, "src", "Gms", "Ripple.Gms.Host", "bin", configuration, framework, "Ripple.Gms.Host.dll");
            if (File.Exists(program))
            {
                return program;
            }
        }

        throw new InvalidOperationException($"The host program is not built for {configuration}. Build src/Gms/Ripple.Gms.Host.");
    }

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.EnumerateFiles(from))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }

        foreach (string folder in Directory.EnumerateDirectories(from))
        {
            Copy(folder, Path.Combine(to, Path.GetFileName(folder)));
        }
    }

    private async Task ForgetAsync()
    {
        using var limit = new CancellationTokenSource(Patience);
        await _process!.WaitForExitAsync(limit.Token);
        _process.Dispose();
        _process = null;
    }
}
