using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using Ripple.Gms.Server;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

public sealed class HostProgramTests : IDisposable
{
    private static readonly string[] Free = ["--listen", "127.0.0.1:0", "--health", "off"];
    private readonly TempDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task A_port_that_is_taken_is_told_with_the_option_that_names_it()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        (int exitCode, string output) = await HostProcess.RunAsync(
            "--data", _directory.Path, "--listen", taken.LocalEndpoint.ToString()!, "--health", "off");
        Assert.Equal(1, exitCode);
        Assert.Contains("(--listen)", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Host_prints_where_it_is_and_no_secret_and_ends_at_a_signal()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has no SIGTERM.");
        }

        using HostProcess host = await HostProcess.StartAsync(["--data", _directory.Path, "--application", "shop", .. Free]);
        var files = new GmsDirectory(_directory.Path);
        (int second, string inUse) = await HostProcess.RunAsync(["--data", _directory.Path, .. Free]);
        Assert.Equal(1, second);
        Assert.Contains(files.Store, inUse, StringComparison.Ordinal);
        Assert.Contains("another host", inUse, StringComparison.Ordinal);
        (int create, string refusal) = await HostProcess.RunAsync("application", "create", "other", "--data", _directory.Path);
        Assert.Equal(1, create);
        Assert.Contains(files.AdminConnection, refusal, StringComparison.Ordinal);

        await host.TerminateAsync();
        (int exitCode, string output) = await host.EndAsync();
        Assert.Equal(0, exitCode);
        Assert.Contains(files.ClientConnection, output, StringComparison.Ordinal);
        Assert.Contains(files.AdminConnection, output, StringComparison.Ordinal);
        foreach (string path in (string[])[files.ClientConnection, files.AdminConnection])
        {
            ConnectionString connection = ConnectionString.ReadFile(path);
            Assert.Contains(connection.Endpoints[0].ToString(), output, StringComparison.Ordinal);
            Assert.DoesNotContain(connection.Token!.Reveal()[(AccessTokenSecret.IdLength + 1)..], output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Tokens_are_made_listed_and_revoked_in_the_directory()
    {
        string admin;
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            admin = host.Admin.Token!.Id;
            string path = _directory.In("more.connection");
            string[] create = ["token", "create", "--data", _directory.Path, "-a", "default", "--role", "publisher", "--expires", "30"];
            (int made, string output) = await HostProcess.RunAsync([.. create, "--out", path]);
            Assert.True(made == 0, output);
            ConnectionString connection = ConnectionString.ReadFile(path);
            Assert.DoesNotContain(connection.Token!.Reveal()[(AccessTokenSecret.IdLength + 1)..], output, StringComparison.Ordinal);
            Assert.Equal(host.Client.Endpoints, connection.Endpoints);
            if (!OperatingSystem.IsWindows())
            {
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
            }

            (made, output) = await HostProcess.RunAsync([.. create, "--out", path]);
            Assert.True(made == 1 && output.Contains(path, StringComparison.Ordinal), output);
            (made, output) = await HostProcess.RunAsync([.. create, "--print"]);
            Assert.True(made == 0, output);
            Assert.NotNull((await host.ConnectAsync(ConnectionString.Parse(output.Trim()))).Handler);

            (int listed, string list) = await HostProcess.RunAsync("token", "list", "--data", _directory.Path);
            Assert.Equal(0, listed);
            Assert.Matches(new Regex($"{connection.Token.Id} +publisher +good .* default"), list);
            Assert.Matches(new Regex($"{admin} +admin +good .* never +\\*"), list);

            (int revoked, string told) = await HostProcess.RunAsync("token", "revoke", connection.Token.Id, "--data", _directory.Path);
            Assert.True(revoked == 0, told);
            (_, list) = await HostProcess.RunAsync("token", "list", "--data", _directory.Path);
            Assert.Matches(new Regex($"{connection.Token.Id} +publisher +revoked "), list);
            (int unknown, _) = await HostProcess.RunAsync("token", "revoke", "0000000000000000", "--data", _directory.Path);
            Assert.Equal(1, unknown);
        }

        (int audited, string audit) = await HostProcess.RunAsync("audit", "--data", _directory.Path, "--count", "2");
        Assert.Equal(0, audited);
        // The host writes who enrolled when it stops.
        string[] lines = audit.Split('\n');
        Assert.Equal(2, lines.Length);
        Assert.Contains("node.enrol", lines[0], StringComparison.Ordinal);
        Assert.Contains("token.revoke", lines[1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Applications_are_made_while_no_host_runs()
    {
        await (await HostHarness.StartAsync(_directory.Path)).DisposeAsync();
        (int created, string told) = await HostProcess.RunAsync("application", "create", "shop", "--data", _directory.Path);
        Assert.True(created == 0, told);
        (int again, _) = await HostProcess.RunAsync("application", "create", "shop", "--data", _directory.Path);
        Assert.Equal(1, again);
        (int wrong, _) = await HostProcess.RunAsync("application", "create", "Shop", "--data", _directory.Path);
        Assert.Equal(2, wrong);
        (int listed, string list) = await HostProcess.RunAsync("application", "list", "--data", _directory.Path);
        Assert.Equal(0, listed);
        Assert.Contains("shop", list, StringComparison.Ordinal);
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        Assert.NotNull(await host.Server.Runner.RunAsync(() => host.Server.Host.Find("shop")));
    }

    [Theory]
    [InlineData("--listen", "nowhere")]
    [InlineData("--listen", "127.0.0.1")]
    [InlineData("--health", "on")]
    [InlineData("--application", "Shop")]
    [InlineData("--advertise", "not a name")]
    [InlineData("--datagram-bytes", "1400")]
    [InlineData("--datagram-bytes", "east=many")]
    [InlineData("--multicast-groups", "everybody")]
    [InlineData("--multicast-ttl", "3")]
    [InlineData("--history-releases", "some")]
    [InlineData("--history-releases", "-1")]
    [InlineData("--history-days", "0")]
    [InlineData("--history-days", "forever")]
    [InlineData("--unknown", "1")]
    public async Task Wrong_usage_exits_two_with_a_line_that_names_it(string option, string value)
    {
        (int exitCode, string output) = await HostProcess.RunAsync("--data", _directory.Path, option, value);
        Assert.Equal(2, exitCode);
        Assert.Contains(option is "--unknown" or "--multicast-ttl" ? option : value, output, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_directory.Path));
    }

    [Fact]
    public async Task Commands_make_no_store_where_there_is_none()
    {
        (int exitCode, string output) = await HostProcess.RunAsync("token", "list", "--data", _directory.Path);
        Assert.Equal(1, exitCode);
        Assert.Contains(_directory.Path, output, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_directory.Path));
    }
}
