using System.Net;
using System.Net.Sockets;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

public sealed class GmsServerStartTests : IDisposable
{
    private readonly TempDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task First_start_writes_files_for_their_owner_alone()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        GmsDirectory files = host.Server.Directory;
        string[] secrets = [files.Authority, files.Host, files.Signer, files.ClientConnection, files.AdminConnection, files.Store];
        Assert.All(secrets, f => Assert.True(File.Exists(f), f));
        if (!OperatingSystem.IsWindows())
        {
            const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            Assert.Equal(Owner | UnixFileMode.UserExecute, File.GetUnixFileMode(files.Path));
            foreach (string file in secrets)
            {
                Assert.Equal(Owner, File.GetUnixFileMode(file));
            }
        }

        Assert.Equal([host.Server.Endpoint], host.Client.Endpoints);
        Assert.Equal("default", host.Client.Application);
        Assert.Equal("default", host.Admin.Application);
        Assert.Equal(host.Client.Authority.ToArray(), host.Admin.Authority.ToArray());
        Assert.NotEqual(host.Client.Token!.Id, host.Admin.Token!.Id);
    }

    [Fact]
    public async Task First_start_makes_the_tokens_and_the_application_with_an_audit()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path, o => o with { Application = "shop" });
        HostState state = await host.BesideAsync(store => Task.FromResult(store.Load()));
        Assert.Equal(["shop"], state.Applications.Select(a => a.Name));
        AccessToken node = state.Tokens.Single(t => t.Id == host.Client.Token!.Id);
        AccessToken admin = state.Tokens.Single(t => t.Id == host.Admin.Token!.Id);
        Assert.Equal((AccessRole.Node, "shop"), (node.HighestRole, Assert.Single(node.Applications)));
        Assert.Equal((AccessRole.Admin, "*"), (admin.HighestRole, Assert.Single(admin.Applications)));
        Assert.True(host.Client.Token!.Matches(node.SecretHash.Span));
        IReadOnlyList<AuditRecord> audit = await host.BesideAsync(
            s => s.ReadAsync<IReadOnlyList<AuditRecord>>(done => s.ReadAudit(null, long.MaxValue, 10, done)));
        Assert.Equal(["token.create", "token.create", "application.create"], audit.Select(a => a.Entry.Action));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Later_start_that_says_no_application_keeps_the_one_there_is(bool isFileKept)
    {
        string client;
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path, o => o with { Application = "shop" }))
        {
            client = SecretOf(host.Client);
            if (!isFileKept)
            {
                File.Delete(host.Server.Directory.ClientConnection);
            }
        }

        await using HostHarness again = await HostHarness.StartAsync(
            _directory.Path, o => o with { ListenAddress = new IPEndPoint(IPAddress.Loopback, 0) });
        Assert.Equal("shop", again.Client.Application);
        Assert.Equal(isFileKept, client == SecretOf(again.Client));
        HostState state = await again.BesideAsync(store => Task.FromResult(store.Load()));
        Assert.Equal(["shop"], state.Applications.Select(a => a.Name));
        Assert.Equal(isFileKept ? 2 : 3, state.Tokens.Count);
    }

    [Fact]
    public async Task Application_said_at_a_later_start_is_made_and_kept_by_the_next()
    {
        await using (await HostHarness.StartAsync(_directory.Path))
        {
        }

        await using (HostHarness second = await HostHarness.StartAsync(_directory.Path, o => o with { Application = "shop" }))
        {
            Assert.Equal("shop", second.Client.Application);
        }

        await using HostHarness third = await HostHarness.StartAsync(_directory.Path);
        Assert.Equal("shop", third.Client.Application);
        HostState state = await third.BesideAsync(store => Task.FromResult(store.Load()));
        Assert.Equal(["default", "shop"], state.Applications.Select(a => a.Name).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_further_role_of_a_credential_does_not_replace_it_at_the_next_start()
    {
        string client;
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            client = SecretOf(host.Client);
            AccessTokenChange more = AccessTokenChange.Grant(host.Client.Token!.Id, new("other", AccessRole.Publisher), 1, "test");
            await host.BesideAsync(async store =>
            {
                await store.CommitAsync(new CommitBatch { Tokens = [more] });
                return 0;
            });
        }

        await using HostHarness again = await HostHarness.StartAsync(_directory.Path);
        Assert.Equal(client, SecretOf(again.Client));
    }

    [Fact]
    public async Task No_line_of_the_log_holds_a_secret()
    {
        string client;
        string admin;
        LineLogs logs;
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            logs = host.Logs;
            client = SecretOf(host.Client);
            admin = SecretOf(host.Admin);
            Assert.NotNull((await host.ConnectAsync(host.Client)).Handler);
            await host.RevokeAsync(host.Admin);
            await ControlHarness.UntilAsync(() => logs.Lines.Any(l => l.Id == LogEvents.Enrolled), "the enrolment was logged");
            Assert.Null((await host.ConnectAsync(host.Client, o => o with { Application = "another" })).Handler);
        }

        Assert.Contains(logs.Lines, l => l.Id == LogEvents.Started);
        Assert.Contains(logs.Lines, l => l.Id == LogEvents.EnrollRefused);
        Assert.Contains(logs.Lines, l => l.Id == LogEvents.Stopped);
        Assert.DoesNotContain(
            logs.Lines, l => l.Text.Contains(client, StringComparison.Ordinal) || l.Text.Contains(admin, StringComparison.Ordinal));
        Assert.DoesNotContain(logs.Lines, l => l.Text.Contains("PRIVATE KEY", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Second_start_goes_on_with_authority_certificates_tokens_and_applications()
    {
        Dictionary<string, string> before;
        HostState first;
        Id128 cluster;
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            before = Secrets(host.Server.Directory);
            cluster = host.Server.ClusterId;
            first = await host.BesideAsync(store => Task.FromResult(store.Load()));
        }

        await using HostHarness again = await HostHarness.StartAsync(_directory.Path);
        Assert.Equal(cluster, again.Server.ClusterId);
        Assert.Equal(before, Secrets(again.Server.Directory));
        HostState second = await again.BesideAsync(store => Task.FromResult(store.Load()));
        Assert.Equal(first.ClusterId, second.ClusterId);
        Assert.Equal(first.Tokens.Select(t => t.Id), second.Tokens.Select(t => t.Id));
        Assert.Equal(first.Applications.Select(a => a.Name), second.Applications.Select(a => a.Name));
        Assert.True(second.SlotEpoch > first.SlotEpoch, "a start must persist a new slot epoch");
        Assert.Equal([again.Server.Endpoint], again.Client.Endpoints);
        Assert.NotNull((await again.ConnectAsync(again.Client)).Handler);
    }

    [Fact]
    public async Task Start_under_another_advertised_name_issues_a_certificate_for_it()
    {
        string before;
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            before = await File.ReadAllTextAsync(host.Server.Directory.Host, HostHarness.Cancel);
        }

        await using HostHarness again = await HostHarness.StartAsync(_directory.Path, o => o with { AdvertiseAddress = "localhost" });
        Assert.Equal("localhost", again.Server.Endpoint.Host);
        Assert.Equal([again.Server.Endpoint], again.Client.Endpoints);
        Assert.Equal(before, await File.ReadAllTextAsync(again.Server.Directory.Host, HostHarness.Cancel));
        await again.Server.DisposeAsync();
        await using HostHarness third = await HostHarness.StartAsync(_directory.Path, o => o with { Name = "host-2" });
        Assert.NotEqual(before, await File.ReadAllTextAsync(third.Server.Directory.Host, HostHarness.Cancel));
    }

    [Fact]
    public async Task Connection_file_that_is_gone_is_made_with_a_new_token()
    {
        string before;
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            before = host.Client.Token!.Id;
            File.Delete(host.Server.Directory.ClientConnection);
        }

        await using HostHarness again = await HostHarness.StartAsync(_directory.Path);
        Assert.NotEqual(before, again.Client.Token!.Id);
        Assert.NotNull((await again.ConnectAsync(again.Client)).Handler);
    }

    [Fact]
    public async Task Store_of_a_later_format_is_refused_and_left()
    {
        await (await HostHarness.StartAsync(_directory.Path)).DisposeAsync();
        Sql("UPDATE settings SET value = 99 WHERE name = 'format_version'");
        var e = await Assert.ThrowsAsync<StoreFormatException>(() => HostHarness.StartAsync(_directory.Path));
        Assert.Contains("format 99", e.Message, StringComparison.Ordinal);
        Sql($"UPDATE settings SET value = {StoreSchema.FormatVersion} WHERE name = 'format_version'");
        await using HostHarness again = await HostHarness.StartAsync(_directory.Path);
        Assert.NotNull((await again.ConnectAsync(again.Client)).Handler);
    }

    [Theory]
    [InlineData("ripple.db")]
    [InlineData("ripple.db-wal")]
    [InlineData("ripple.db.lock")]
    public async Task A_link_in_place_of_a_file_of_the_store_is_not_followed(string name)
    {
        Directory.CreateDirectory(_directory.Path);
        string target = _directory.In("elsewhere");
        File.CreateSymbolicLink(_directory.In(name), target);
        var e = await Assert.ThrowsAsync<StoreException>(() => HostHarness.StartAsync(_directory.Path));
        Assert.Contains("a link", e.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(target));
    }

    [Fact]
    public async Task Second_host_on_one_directory_is_refused_and_the_first_goes_on()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        var e = await Assert.ThrowsAsync<StoreException>(() => HostHarness.StartAsync(_directory.Path));
        Assert.Contains("in use by another host", e.Message, StringComparison.Ordinal);
        Assert.NotNull((await host.ConnectAsync(host.Client)).Handler);
    }

    [Fact]
    public async Task Store_without_its_authority_is_refused()
    {
        string path;
        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            path = host.Server.Directory.Authority;
        }

        File.Delete(path);
        var e = await Assert.ThrowsAsync<GmsServerException>(() => HostHarness.StartAsync(_directory.Path));
        Assert.Contains(path, e.Message, StringComparison.Ordinal);
        ClusterAuthority.Create().Save(path);
        e = await Assert.ThrowsAsync<GmsServerException>(() => HostHarness.StartAsync(_directory.Path));
        Assert.Contains("another", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Port_in_use_is_named_and_the_directory_is_free_again()
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        taken.Listen();
        var address = (IPEndPoint)taken.LocalEndPoint!;
        var e = await Assert.ThrowsAsync<GmsServerException>(
            () => HostHarness.StartAsync(_directory.Path, o => o with { ListenAddress = address }));
        Assert.Contains(address.ToString(), e.Message, StringComparison.Ordinal);
        await (await HostHarness.StartAsync(_directory.Path)).DisposeAsync();
    }

    [Theory]
    [InlineData("Shop", null, null)]
    [InlineData("shop", "a name", null)]
    [InlineData("shop", null, "0.0.0.0")]
    [InlineData("shop", null, "not a name")]
    public async Task Wrong_options_are_refused_before_anything_is_made(string application, string? name, string? advertise)
    {
        await Assert.ThrowsAsync<GmsServerException>(() => HostHarness.StartAsync(
            _directory.Path, o => o with { Application = application, Name = name, AdvertiseAddress = advertise }));
        Assert.False(Directory.Exists(_directory.Path));
    }

    private static string SecretOf(ConnectionString connection) => connection.Token!.Reveal()[(AccessTokenSecret.IdLength + 1)..];

    private static Dictionary<string, string> Secrets(GmsDirectory files)
    {
        Dictionary<string, string> texts = new[] { files.Authority, files.Host, files.Signer }.ToDictionary(f => f, File.ReadAllText);
        texts["client"] = ConnectionString.ReadFile(files.ClientConnection).Token!.Reveal();
        texts["admin"] = ConnectionString.ReadFile(files.AdminConnection).Token!.Reveal();
        return texts;
    }

    private void Sql(string sql) => StoreSql.Run(_directory.In("ripple.db"), sql);
}
