using System.Net.Sockets;
using System.Text;

namespace Ripple.Gms.Tests.Server;

/// <summary>What the host program tells a service manager that started it, at the socket that the manager names.</summary>
public sealed class ServiceManagerTests
{
    [Fact]
    public async Task It_is_told_when_the_host_is_ready_and_when_it_stops()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Sockets of this kind are those of Linux.");
        using var directory = new TempDirectory();
        string path = Path.Combine(Directory.CreateTempSubdirectory("n").FullName, "s");
        using var manager = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        manager.Bind(new UnixDomainSocketEndPoint(path));

        using HostProcess host = HostProcess.Begin(
            new Dictionary<string, string> { ["NOTIFY_SOCKET"] = path },
            "--data", directory.Path, "--listen", "127.0.0.1:0", "--health", "off");

        Assert.Equal("READY=1", await HearAsync(manager));
        await host.ReadyAsync();
        await host.TerminateAsync();
        Assert.Equal("STOPPING=1", await HearAsync(manager));
        (int exitCode, string output) = await host.EndAsync();
        Assert.True(exitCode == 0, output);
    }

    private static async Task<string> HearAsync(Socket manager)
    {
        byte[] heard = new byte[256];
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(HostHarness.Cancel);
        limit.CancelAfter(TimeSpan.FromMinutes(2));
        return Encoding.UTF8.GetString(heard, 0, await manager.ReceiveAsync(heard, limit.Token));
    }
}
