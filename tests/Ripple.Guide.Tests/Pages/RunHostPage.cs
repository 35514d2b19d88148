using System.Globalization;
using Ripple.Admin.Contracts;
using Ripple.Guide.Tests.Terminals;
using Ripple.Tests.Shared.Postgres;

namespace Ripple.Guide.Tests.Pages;

/// <summary>The page of a host: its program, its database, its tokens, its backup.</summary>
internal sealed class RunHostPage() : HostedPage("run-a-host.md")
{
    private const string Postgres = "A store in PostgreSQL";
    private const string StoreFile = "/etc/ripple/store.connection";
    private LocalPostgres? _server;
    private string[] _tokens = [];

    private static bool HasServer => IsOnPath("createuser") && Directory.Exists("/usr/lib/postgresql");

    private string Stopped => Path.Combine(Home.Scratch, "stopped");

    private string CopyFile => Path.Combine(Home.Scratch, "copy.connection");

    public override string? WhyNotTyped(GuideBlock block) => block switch
    {
        { Section: Postgres } when !HasServer => "It needs a PostgreSQL server: install the package 'postgresql'.",
        { Section: "Backup" } when !IsOnPath("sqlite3") => "It needs SQLite's own program: install the package 'sqlite3'.",
        _ => null,
    };

    protected override async Task PrepareAsync()
    {
        await base.PrepareAsync();
        await Host.Admin.CreateApplicationAsync("other-application", Cancel);
        _tokens = [await TokenAsync("one"), await TokenAsync("two")];
        await (await GuideHost.StartAsync(Stopped, "shop")).DisposeAsync();
        if (HasServer)
        {
            _server = new LocalPostgres(isInMemory: true);
            Assert.Null(_server.TryStart());
            OwnerOnly.Write(CopyFile, _server.ConnectionString(_server.MakeDatabase()));
            foreach ((string name, string value) in _server.Environment)
            {
                Home.Variables[name] = value;
            }
        }
    }

    protected override string Put(GuideBlock block)
    {
        string directory = block.Text.Contains("store copy", StringComparison.Ordinal) || block.Section == "Restore" ? Stopped
            : block.Section is "Applications, tokens and roles" or "Backup" ? Host.Data
            : $"data-{block.Line}";
        string token = _tokens[block.Text.Contains("ripple-host", StringComparison.Ordinal) ? 1 : 0];
        string text = block.Text
            .Replace("DIR", directory, StringComparison.Ordinal)
            .Replace("--store-file FILE", $"--store-file {CopyFile}", StringComparison.Ordinal)
            .Replace("TOKEN-ID", token, StringComparison.Ordinal)
            .Replace(StoreFile, "store.connection", StringComparison.Ordinal)
            .Replace("Password=...", "Password=secret", StringComparison.Ordinal)
            .Replace("/run/postgresql", Home.Variables.GetValueOrDefault("PGHOST"), StringComparison.Ordinal)
            .Replace(" --listen 10.0.0.5:7400", string.Empty, StringComparison.Ordinal);
        // The ports are this machine's to choose.
        return string.Join('\n', text.Split('\n').Select(
            line => line.StartsWith("ripple-host --data ", StringComparison.Ordinal)
                ? $"{line} --listen {NewAddress()} --health {NewAddress()}"
                : line));
    }

    protected override string Answers(GuideBlock block) => block.Section == Postgres ? "secret\nsecret\n" : string.Empty;

    protected override Task AfterAsync(GuideBlock block, string output)
    {
        if (block.Section == "Backup")
        {
            Assert.True(File.Exists(Home.PathOf("ripple-backup.db")));
        }

        return Task.CompletedTask;
    }

    protected override async ValueTask EndAsync()
    {
        await base.EndAsync();
        _server?.Dispose();
    }

    private static string NewAddress() => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{TestPorts.Tcp()}");

    private async Task<string> TokenAsync(string name) => (await Host.Admin.CreateTokenAsync(
        new CreateTokenRequest { Applications = ["shop"], Role = Role.Node, Name = name }, Cancel)).Token.TokenId;
}
