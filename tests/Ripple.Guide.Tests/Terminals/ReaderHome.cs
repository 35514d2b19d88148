using System.Globalization;

namespace Ripple.Guide.Tests.Terminals;

/// <summary>The machine of somebody who reads a page: an empty directory, a home of his own, and Ripple's programs on the path.</summary>
internal sealed class ReaderHome : IDisposable
{
    private static readonly string Configuration = new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name;
    private static readonly string Framework = new DirectoryInfo(AppContext.BaseDirectory).Name;

    private readonly string _root = Directory.CreateTempSubdirectory("ripple-guide-").FullName;

    public ReaderHome()
    {
        Directory.CreateDirectory(Folder);
        Directory.CreateDirectory(Home);
        Directory.CreateDirectory(Scratch);
        AddProgram("ripple", "src/Admin/Ripple.Cli", "Ripple.Cli.dll");
        AddProgram("ripple-host", "src/Gms/Ripple.Gms.Host", "Ripple.Gms.Host.dll");
    }

    /// <summary>Where the page is typed; empty at first.</summary>
    public string Folder => Path.Combine(_root, "here");

    /// <summary>What <c>~</c> is.</summary>
    public string Home => Path.Combine(_root, "home");

    /// <summary>What the tests write down besides.</summary>
    public string Scratch => Path.Combine(_root, "scratch");

    /// <summary>PowerShell, as the build made it.</summary>
    public static string PowerShell => Path.Combine(Output("tests/Ripple.PowerShellProgram"), "pwsh");

    /// <summary>The folder in which the build lays the module out, from the clone's root.</summary>
    public static string Module => $"src/Admin/Ripple.PowerShell/bin/{Configuration}/module/Ripple";

    /// <summary>What programs have in their environment besides; not to be changed once a terminal is open.</summary>
    public Dictionary<string, string> Variables { get; } = new(StringComparer.Ordinal);

    /// <summary>The path of a file in the directory.</summary>
    public string PathOf(string name) => Path.Combine(Folder, name);

    /// <summary>Writes a file that the page takes for granted.</summary>
    public void Write(string name, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(PathOf(name))!);
        File.WriteAllText(PathOf(name), text);
    }

    /// <summary>Gives a program this home and these programs, and nothing that the tests' own environment says of Ripple.</summary>
    public void Prepare(IDictionary<string, string?> environment)
    {
        foreach (string variable in environment.Keys.Where(
            k => k.StartsWith("RIPPLE", StringComparison.Ordinal) || k.StartsWith("XDG_", StringComparison.Ordinal)).ToArray())
        {
            environment.Remove(variable);
        }

        environment["HOME"] = Home;
        environment["PATH"] = string.Join(
            Path.PathSeparator, Path.Combine(_root, "bin"), Path.GetDirectoryName(PowerShell), Environment.GetEnvironmentVariable("PATH"));
        environment["NO_COLOR"] = "1";
        environment["POWERSHELL_TELEMETRY_OPTOUT"] = "1";
        // Each command is a process that ends soon: none lives long enough to be worth the measuring.
        environment["DOTNET_TieredPGO"] = "0";
        environment["GIT_CONFIG_GLOBAL"] = "/dev/null";
        foreach ((string name, string value) in Variables)
        {
            environment[name] = value;
        }
    }

    /// <summary>What the programs with terminals of their own wrote.</summary>
    public string Logs() => string.Concat(
        Directory.EnumerateFiles(Scratch, "*.log").Order(StringComparer.Ordinal)
            .Select(f => string.Create(CultureInfo.InvariantCulture, $"== {Path.GetFileName(f)}\n{File.ReadAllText(f)}")));

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private static string Output(string project) => Path.Combine(GuidePages.Root, project, "bin", Configuration, Framework);

    private void AddProgram(string name, string project, string assembly)
    {
        string path = Path.Combine(Directory.CreateDirectory(Path.Combine(_root, "bin")).FullName, name);
        File.WriteAllText(path, $"#!/bin/sh\nexec dotnet '{Path.Combine(Output(project), assembly)}' \"$@\"\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }
}
