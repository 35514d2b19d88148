using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;

namespace Ripple.Load.Fanout.Net;

/// <summary>
/// One bridge and so many network namespaces, each with one interface on it: the sender is in the first. Named after this process, so that
/// what a killed run left behind is known for what it is, and removed by the next.
/// </summary>
internal sealed class NetnsLab : IDisposable
{
    private const string Prefix = "rfan";
    private static int _labs;
    private readonly int _count;
    private bool _isDisposed;

    private NetnsLab(int count) => _count = count;

    private static int OwnId => Environment.ProcessId;

    /// <summary>Makes a lab of a sender and so many receivers.</summary>
    /// <exception cref="InvalidOperationException">Not root, not Linux, or <c>ip</c> is missing or refused.</exception>
    public static NetnsLab Make(int receivers)
    {
        if (!OperatingSystem.IsLinux() || Linux.EffectiveUser() != 0)
        {
            throw new InvalidOperationException(
                "--netns makes network namespaces, which takes Linux and root: run as root, or leave it out to use the loopback.");
        }

        RemoveLeftovers();
        var lab = new NetnsLab(receivers + 1);
        try
        {
            lab.Make();
            return lab;
        }
        catch
        {
            lab.Dispose();
            throw;
        }
    }

    /// <summary>The namespace of the sender (0) or a receiver (from 1) in the lab of a process.</summary>
    public static string NameOf(int labId, int index) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{labId}-{index}");

    /// <summary>Its address.</summary>
    public static IPAddress AddressOf(int index) => new([10, 77, (byte)(index / 200), (byte)((index % 200) + 1)]);

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            Remove(OwnId, _count);
        }
    }

    private static string BridgeOf(int labId) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{labId}");

    private static void RemoveLeftovers()
    {
        if (!Directory.Exists("/var/run/netns"))
        {
            return;
        }

        IEnumerable<int> labs = Directory.EnumerateFiles("/var/run/netns", Prefix + "*")
            .Select(f => Path.GetFileName(f)[Prefix.Length..].Split('-')[0])
            .Select(s => int.TryParse(s, CultureInfo.InvariantCulture, out int id) ? id : 0)
            .Where(id => id != 0 && !Directory.Exists($"/proc/{id}"))
            .Distinct();
        foreach (int id in labs.ToArray())
        {
            Remove(id, Directory.EnumerateFiles("/var/run/netns", $"{Prefix}{id}-*").Count());
        }
    }

    private static void Remove(int labId, int count)
    {
        var batch = new StringBuilder();
        for (int i = 0; i < count; i++)
        {
            batch.Append(CultureInfo.InvariantCulture, $"netns del {NameOf(labId, i)}\n");
        }

        batch.Append(CultureInfo.InvariantCulture, $"link del {BridgeOf(labId)}\n");
        Run("-force -batch -", batch, isChecked: false);
    }

    private static void Run(string arguments, StringBuilder batch, bool isChecked = true)
    {
        var start = new ProcessStartInfo("ip", arguments) { RedirectStandardInput = true, RedirectStandardError = true };
        try
        {
            using Process process = Process.Start(start)!;
            process.StandardInput.Write(batch.ToString());
            process.StandardInput.Close();
            string errors = process.StandardError.ReadToEnd();
            process.WaitForExit();
            if (isChecked && process.ExitCode != 0)
            {
                throw new InvalidOperationException($"'ip {arguments}' refused: {errors.Trim()}");
            }
        }
        catch (Win32Exception e)
        {
            throw new InvalidOperationException($"--netns needs the program ip (iproute2): {e.Message}", e);
        }
    }

    private void Make()
    {
        string bridge = BridgeOf(OwnId);
        // The kernel takes an interface away some time after its namespace: the next lab of this process names its own otherwise.
        char lab = (char)('a' + (_labs++ % 26));
        var batch = new StringBuilder();
        batch.Append(CultureInfo.InvariantCulture, $"link add {bridge} type bridge mcast_snooping 0\nlink set {bridge} up\n");
        for (int i = 0; i < _count; i++)
        {
            string veth = string.Create(CultureInfo.InvariantCulture, $"{bridge}{lab}{i}");
            batch.Append(CultureInfo.InvariantCulture, $"netns add {NameOf(OwnId, i)}\n");
            batch.Append(CultureInfo.InvariantCulture, $"link add {veth} type veth peer name e0 netns {NameOf(OwnId, i)}\n");
            batch.Append(CultureInfo.InvariantCulture, $"link set {veth} addrgenmode none\nlink set {veth} master {bridge} up\n");
        }

        Run("-batch -", batch);
        for (int i = 0; i < _count; i++)
        {
            batch.Clear();
            batch.Append(
                CultureInfo.InvariantCulture,
                $"link set e0 addrgenmode none\naddr add {AddressOf(i)}/16 dev e0\nlink set e0 up\nlink set lo up\nroute "
                    + $"add 224.0.0.0/4 dev e0\n");
            Run($"-n {NameOf(OwnId, i)} -batch -", batch);
        }
    }
}
