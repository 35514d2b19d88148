using System.Globalization;
using System.Text.RegularExpressions;
using Ripple.Attacks.Nodes;

namespace Ripple.Attacks.Stages;

/// <summary>Which host is attacked, and which program is an honest member of it.</summary>
internal sealed partial class HostProgram
{
    private const string Sdk = "Ripple.Client.dll";

    private HostProgram(string path, string? memberProgram) => (Path, MemberProgram) = (path, memberProgram);

    /// <summary>The host's program or dll.</summary>
    public string Path { get; }

    /// <summary>The copy of this program with the members' SDK; null for this program itself.</summary>
    public string? MemberProgram { get; }

    /// <summary>Looks for both, and copies this program beside another SDK where the members need one.</summary>
    /// <param name="host">The host; null for the one that is built with this program.</param>
    /// <param name="sdk">The folder with the members' SDK; null to look beside the host.</param>
    /// <param name="directory">Where a copy may be made.</param>
    public static HostProgram Find(string? host, string? sdk, string directory)
    {
        string own = System.IO.Path.Combine("src", "Gms", "Ripple.Gms.Host", "bin", Configuration(), "net10.0", "Ripple.Gms.Host.dll");
        string path = host ?? System.IO.Path.Combine(Root(AppContext.BaseDirectory) ?? ".", own);
        if (!File.Exists(path))
        {
            throw new AttackException($"There is no host '{path}'. Build src/Gms/Ripple.Gms.Host, or say another by --host.");
        }

        sdk ??= host is null ? null : BesideSource(path);
        return new HostProgram(path, sdk is null ? null : CopyWith(sdk, directory));
    }

    /// <summary>How its command line begins.</summary>
    public (string Program, string[] Arguments) Start(params string[] arguments) =>
        Path.EndsWith(".dll", StringComparison.Ordinal) ? ("dotnet", [Path, .. arguments]) : (Path, arguments);

    /// <summary>What the host says that the lines beginning so may take together, in megabytes.</summary>
    public async Task<double> PrintedMbAsync(IReadOnlyList<string> lines, int connections, int regions)
    {
        (string program, string[] arguments) = Start("--explain-memory");
        string text = await Shell.RunAsync(program, arguments);
        double bytes = 0;
        foreach (Match match in MemoryLine().Matches(text))
        {
            if (lines.Any(l => match.Groups["name"].Value.StartsWith(l, StringComparison.Ordinal)))
            {
                int times = match.Groups["scope"].Value switch { "connection" => connections, "region" => regions, _ => 1 };
                bytes += times * double.Parse(match.Groups["bytes"].Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture);
            }
        }

        return bytes / 1e6;
    }

    private static string Configuration() => new DirectoryInfo(AppContext.BaseDirectory).Parent?.Name ?? "Release";

    private static string? Root(string path)
    {
        DirectoryInfo? folder = new(path);
        while (folder is not null && !File.Exists(System.IO.Path.Combine(folder.FullName, "Ripple.sln")))
        {
            folder = folder.Parent;
        }

        return folder?.FullName;
    }

    private static string? BesideSource(string host)
    {
        string framework = System.IO.Path.GetDirectoryName(host)!;
        string configuration = System.IO.Path.GetDirectoryName(framework)!;
        string? root = Root(framework);
        // The hosting package's folder has the client's libraries as well.
        foreach (string project in root is null ? [] : new[] { "Ripple.Extensions.Hosting", "Ripple.Client" })
        {
            string folder = System.IO.Path.Combine(
                root!, "src", "Sdk", project, "bin", System.IO.Path.GetFileName(configuration), System.IO.Path.GetFileName(framework));
            if (File.Exists(System.IO.Path.Combine(folder, Sdk)))
            {
                return folder;
            }
        }

        return null;
    }

    /// <summary>
    /// Members use the public surface alone, which older builds have too: a copy of this program with their libraries is a program of
    /// theirs.
    /// </summary>
    private static string CopyWith(string sdk, string directory)
    {
        if (!File.Exists(System.IO.Path.Combine(sdk, Sdk)))
        {
            throw new AttackException($"There is no {Sdk} in '{sdk}'.");
        }

        string to = Directory.CreateDirectory(System.IO.Path.Combine(directory, "members")).FullName;
        foreach (string file in Directory.EnumerateFiles(AppContext.BaseDirectory).Concat(Directory.EnumerateFiles(sdk, "Ripple.*.dll")))
        {
            File.Copy(file, System.IO.Path.Combine(to, System.IO.Path.GetFileName(file)), overwrite: true);
        }

        return System.IO.Path.Combine(to, "Ripple.Attacks.dll");
    }

    [GeneratedRegex(
        @"^(?<name>\S.*?)\s+[\d,]+ x\s+[\d,]+ =\s+(?<bytes>[\d,]+) B  \w+(?: for each (?<scope>\w+))?\r?$", RegexOptions.Multiline)]
    private static partial Regex MemoryLine();
}
