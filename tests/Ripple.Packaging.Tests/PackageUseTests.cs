using System.Net;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Client;
using Ripple.Gms.Server;
using Ripple.Packaging.Tests.Packing;

namespace Ripple.Packaging.Tests;

/// <summary>The packages are enough: nothing of the repository is needed beside them.</summary>
public sealed class PackageUseTests(PackedPackages packages) : IDisposable
{
    private readonly CancellationTokenSource _limit =
        CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
    private readonly string _data = Directory.CreateTempSubdirectory("ripple-packaging-").FullName;

    private CancellationToken Token
    {
        get
        {
            _limit.CancelAfter(TimeSpan.FromMinutes(15));
            return _limit.Token;
        }
    }

    public void Dispose()
    {
        _limit.Dispose();
        Directory.Delete(_data, recursive: true);
    }

    [Fact]
    public async Task An_empty_application_with_the_client_package_prints_the_value_that_was_published()
    {
        CancellationToken token = Token;
        await using GmsServer server = await StartHostAsync(token);
        await PublishAsync("{ \"limit\": 42 }", token);
        using PackageConsumer consumer = packages.NewConsumer();
        await File.WriteAllTextAsync(
            consumer.Path("app.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="Ripple.Client" Version="{packages.Version}" />
              </ItemGroup>
            </Project>
            """,
            token);
        await File.WriteAllTextAsync(
            consumer.Path("Program.cs"),
            """
            using System.Text;
            using Ripple.Client;

            RippleClientOptions options = new() { ConnectTimeout = TimeSpan.FromMinutes(2) };
            await using RippleClient client = await RippleClient.ConnectAsync(File.ReadAllText(args[0]), options);
            bool isThere = client.TryGet("limits.json", out ReadOnlyMemory<byte> value);
            Console.WriteLine(isThere ? Encoding.UTF8.GetString(value.Span) : "nothing");
            """,
            token);

        await consumer.DotnetAsync(
            token, "build", "-c", "Release", "-o", "out", "-nologo", "-nodeReuse:false", "-p:UseSharedCompilation=false");
        string output = await consumer.DotnetAsync(token, consumer.Path("out/app.dll"), server.Directory.ClientConnection);

        Assert.Equal("{ \"limit\": 42 }", output.TrimEnd());
        // Not a copy that the machine had from before.
        Assert.True(Directory.Exists(Path.Combine(consumer.Cache, "ripple.client", packages.Version)));
    }

    [Fact]
    public async Task Every_library_builds_into_an_empty_application()
    {
        CancellationToken token = Token;
        using PackageConsumer consumer = packages.NewConsumer();
        IEnumerable<string> references = PackedPackages.Projects.Keys.Except(PackedPackages.Tools.Keys).Select(
            p => $"<PackageReference Include=\"{p}\" Version=\"{packages.Version}\" />");
        await File.WriteAllTextAsync(
            consumer.Path("app.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <!-- As the repository does: one of SQLite's libraries names a runtime that is no longer listed, and an audit is news. -->
                <NoWarn>NETSDK1206;NU1901;NU1902;NU1903;NU1904</NoWarn>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
              </PropertyGroup>
              <ItemGroup>{string.Concat(references)}</ItemGroup>
            </Project>
            """,
            token);
        await File.WriteAllTextAsync(
            consumer.Path("Program.cs"),
            "System.Console.WriteLine(typeof(Ripple.Admin.RippleAdminClient).Name + typeof(Ripple.Gms.Server.GmsServer).Name);",
            token);

        await consumer.DotnetAsync(
            token, "build", "-c", "Release", "-o", "out", "-nologo", "-nodeReuse:false", "-p:UseSharedCompilation=false");

        Assert.Equal("RippleAdminClientGmsServer", (await consumer.DotnetAsync(token, consumer.Path("out/app.dll"))).TrimEnd());
    }

    [Fact]
    public async Task An_empty_directory_needs_the_folder_of_packages_and_nothing_else()
    {
        CancellationToken token = Token;
        using PackageConsumer consumer = packages.NewConsumer(hasConfiguration: false);
        // As the guide has it; a configuration of its own first, for else the user's would be changed.
        await consumer.DotnetAsync(token, "new", "nugetconfig");
        await consumer.DotnetAsync(
            token, "nuget", "add", "source", consumer.Environment["RIPPLE_PACKAGES"], "--name", "ripple", "--configfile", "nuget.config");
        await consumer.DotnetAsync(token, "new", "console", "-o", "app", "--no-restore");

        await consumer.DotnetAsync(token, "add", "app", "package", "Ripple.Client", "--prerelease");

        Assert.Contains(
            $"Include=\"Ripple.Client\" Version=\"{packages.Version}\"",
            await File.ReadAllTextAsync(consumer.Path("app/app.csproj"), token),
            StringComparison.Ordinal);
        Assert.True(Directory.Exists(Path.Combine(consumer.Cache, "ripple.engine", packages.Version)));
    }

    [Fact]
    public async Task The_host_package_installs_as_a_tool_that_runs()
    {
        CancellationToken token = Token;
        // Its commands are for the directory of a host that was started once.
        await (await StartHostAsync(token)).DisposeAsync();
        using PackageConsumer consumer = packages.NewConsumer();
        await consumer.DotnetAsync(
            token,
            "tool",
            "install",
            "Ripple.Gms.Host",
            "--version",
            packages.Version,
            "--tool-path",
            "tools",
            "--configfile",
            "nuget.config");
        string program = consumer.Path(OperatingSystem.IsWindows() ? "tools/ripple-host.exe" : "tools/ripple-host");

        await consumer.RunAsync(program, token, "application", "create", "orders", "--data", _data);

        Assert.Contains(
            "orders", await consumer.RunAsync(program, token, "application", "list", "--data", _data), StringComparison.Ordinal);
        Assert.Contains("--advertise", await consumer.RunAsync(program, token, "--help"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_command_line_package_installs_as_a_tool_that_publishes()
    {
        CancellationToken token = Token;
        await using GmsServer server = await StartHostAsync(token);
        using PackageConsumer consumer = packages.NewConsumer();
        await consumer.DotnetAsync(
            token, "tool", "install", "Ripple.Cli", "--version", packages.Version, "--tool-path", "tools", "--configfile", "nuget.config");
        string program = consumer.Path(OperatingSystem.IsWindows() ? "tools/ripple.exe" : "tools/ripple");
        consumer.Environment["RIPPLE_CONNECTION_FILE"] = server.Directory.AdminConnection;
        await File.WriteAllTextAsync(consumer.Path("limits.json"), "{ \"limit\": 7 }", token);

        await consumer.RunAsync(program, token, "publish", "shop", "limits.json=limits.json");

        Assert.Equal("{ \"limit\": 7 }", (await consumer.RunAsync(program, token, "get", "shop", "limits.json")).TrimEnd());
    }

    private Task<GmsServer> StartHostAsync(CancellationToken cancellationToken) => GmsServer.StartAsync(
        new GmsServerOptions
        {
            DataDirectory = _data,
            Application = "shop",
            ListenAddress = new IPEndPoint(IPAddress.Loopback, 0),
            HealthAddress = null,
        }, NullLoggerFactory.Instance, cancellationToken);

    private async Task PublishAsync(string json, CancellationToken cancellationToken)
    {
        await using RippleClient client = await RippleClient.ConnectAsync(
            await File.ReadAllTextAsync(Path.Combine(_data, "admin.connection"), cancellationToken),
            new RippleClientOptions { ConnectTimeout = TimeSpan.FromMinutes(2) },
            cancellationToken);
        await client.PublishAsync(
            new PublishRequest
            {
                Application = "shop",
                Set = new Dictionary<string, ReadOnlyMemory<byte>> { ["limits.json"] = Encoding.UTF8.GetBytes(json) },
            }, cancellationToken);
    }
}
