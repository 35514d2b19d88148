using System.Text.Json;
using Ripple.Cli.Tests.Hosting;
using Ripple.Trust;

namespace Ripple.Cli.Tests.Commands;

public sealed class ConnectTests : CommandTest
{
    private readonly string _secret;

    public ConnectTests(CliHost host)
        : base(host)
    {
        Cli["RIPPLE_CONNECTION_FILE"] = null;
        _secret = ConnectionString.ReadFile(host.AdminConnection).Token!.Reveal()[17..];
    }

    [Fact]
    public async Task Connection_of_a_file_is_saved_for_later_commands()
    {
        (await RunAsync("app", "list")).Failed(1, "ripple connect FILE");

        CliRun text = (await RunAsync("connect", Host.AdminConnection)).Done();

        Assert.Equal($"connected to cluster {Host.Server.ClusterId} at host-1", text.Lines[0]);
        Assert.EndsWith("admin of all applications", text.Lines[1], StringComparison.Ordinal);
        Assert.EndsWith("which only you can read", text.Lines[2], StringComparison.Ordinal);
        Assert.DoesNotContain(_secret, text.Output, StringComparison.Ordinal);
        (await RunAsync("app", "list")).Done();
        Assert.Equal(text.Lines[1], Assert.Single((await RunAsync("whoami")).Done().Lines));
        Assert.Equal("admin", (await RunAsync("whoami", "-o", "json")).Done().Json.GetProperty("roles")[0].GetProperty("role").GetString());
    }

    [Fact]
    public async Task Connection_of_standard_input_or_an_option_is_saved()
    {
        Cli.Input = await File.ReadAllBytesAsync(Host.AdminConnection, TestContext.Current.CancellationToken);
        JsonElement identity = (await RunAsync("connect", "--output", "json")).Done().Json;
        (await RunAsync("app", "list")).Done();

        Assert.Equal("*", identity.GetProperty("roles")[0].GetProperty("application").GetString());

        Cli.Input = [];
        File.Delete(Folder.PathOf(".config/ripple/connection"));
        (await RunAsync("connect", "--connection", Host.AdminConnection)).Done();
        (await RunAsync("app", "list")).Done();
    }

    [Fact]
    public async Task Connection_that_does_not_work_is_not_saved()
    {
        string stranger = (await File.ReadAllTextAsync(Host.AdminConnection, TestContext.Current.CancellationToken)).Trim().Replace(
            _secret, AccessTokenSecret.New().Reveal()[17..], StringComparison.Ordinal);

        (await RunAsync("connect", Folder.File("stranger", stranger))).Failed(4);
        (await RunAsync("connect", Folder.PathOf("nowhere"))).Failed(1, "There is no file");
        (await RunAsync("connect")).Failed(1, "Give a connection file");
        CliRun broken = (await RunAsync("connect", stranger + ";Bogus=1")).Failed(1, "Bogus");

        Assert.DoesNotContain("Token=", broken.Error, StringComparison.Ordinal);
        (await RunAsync("app", "list")).Failed(1, "ripple connect FILE");
    }
}
