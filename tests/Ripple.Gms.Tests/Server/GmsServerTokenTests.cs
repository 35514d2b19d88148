using Ripple.Engine.Links;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Server;

public sealed class GmsServerTokenTests : IDisposable
{
    private readonly TempDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Token_names_the_role_and_the_application()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        ConnectOutcome node = await host.ConnectAsync(
            ConnectionFile.Make(host.Client.Endpoints, host.Client.Authority, host.Client.Token!, null));
        Assert.NotNull(node.Handler);
        ConnectOutcome wrong = await host.ConnectAsync(host.Client, o => o with { Application = "another" });
        Assert.Equal(LinkConnectFailure.Refused, wrong.Failure);
        Assert.Contains("another", wrong.Text, StringComparison.Ordinal);
        ConnectOutcome unnamed = await host.ConnectAsync(
            ConnectionFile.Make(host.Admin.Endpoints, host.Admin.Authority, host.Admin.Token!, null));
        Assert.Equal(LinkConnectFailure.Refused, unnamed.Failure);
        Assert.Equal(1, host.Server.LinkEndpointCounters.Enrolled);
        Assert.Equal(2, host.Server.LinkEndpointCounters.WrongTokens);
    }

    [Fact]
    public async Task Wrong_unknown_and_expired_tokens_are_refused_and_counted()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        AccessTokenSecret good = host.Client.Token!;
        string other = AccessTokenSecret.New().Reveal()[(AccessTokenSecret.IdLength + 1)..];
        Assert.True(AccessTokenSecret.TryParse($"{good.Id}.{other}", out AccessTokenSecret? wrong));
        ConnectionString expired = await host.NewTokenAsync(AccessRole.Node, ["default"], SystemWallClock.Instance.UnixMicros - 1);
        foreach (AccessTokenSecret token in (AccessTokenSecret[])[wrong!, AccessTokenSecret.New(), expired.Token!])
        {
            ConnectOutcome outcome = await host.ConnectAsync(
                ConnectionFile.Make(host.Client.Endpoints, host.Client.Authority, token, "default"));
            Assert.Equal(LinkConnectFailure.Refused, outcome.Failure);
        }

        Assert.Equal(3, host.Server.LinkEndpointCounters.WrongTokens);
        Assert.Equal(0, host.Server.LinkEndpointCounters.Enrolled);
    }

    [Fact]
    public async Task Token_made_beside_the_running_host_is_good_within_seconds()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        ConnectionString connection = await host.NewTokenAsync(AccessRole.Publisher, ["default"]);
        ConnectOutcome outcome;
        do
        {
            outcome = await host.ConnectAsync(connection);
        }
        while (outcome.Handler is null);

        // The core is told of it a moment later; what it did not know it would end at its next look at the tokens. On a slow machine the
        // session may have ended by then, for nobody joins with it.
        while (!outcome.Handler.Closed.Task.IsCompleted && !await host.Server.Runner.RunAsync(() => host.Server.Host.Counters.Sessions > 0))
        {
            HostHarness.Cancel.ThrowIfCancellationRequested();
            await Task.Yield();
        }

        Assert.Null(host.Logs.Lines.FirstOrDefault(l => l.Text.Contains("revoked", StringComparison.Ordinal)).Text);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_node_whose_token_was_revoked_comes_back_by_the_one_that_is_in_its_place(bool isRotated)
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        System.Security.Cryptography.X509Certificates.X509Certificate2? certificate = null;
        ConnectOutcome first = await host.ConnectAsync(host.Client, o => o with { OnCertificate = c => certificate = c });
        ConnectionString next = await host.NewTokenAsync(AccessRole.Node, ["default"]);
        await host.RevokeAsync(host.Client);
        await first.Handler!.Closed.Task.WaitAsync(TimeSpan.FromMinutes(2), HostHarness.Cancel);

        // The file had the old token when the node began, and has the next one when it is refused.
        int reads = 0;
        ConnectOutcome again = await host.ConnectAsync(host.Client, o => o with
        {
            Certificate = certificate,
            Token = () => isRotated && reads++ > 0 ? next.Token! : host.Client.Token!,
        });

        Assert.Equal(isRotated, again.Handler is not null);
        Assert.Equal(isRotated ? 2 : 1, host.Server.LinkEndpointCounters.Enrolled);
        // With the token that it has, a refused certificate is not exchanged for another.
        Assert.Equal(0, host.Server.LinkEndpointCounters.WrongTokens);
    }

    [Fact]
    public async Task Revoked_token_drops_its_node_and_lets_none_in_again()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        System.Security.Cryptography.X509Certificates.X509Certificate2? certificate = null;
        ConnectOutcome outcome = await host.ConnectAsync(host.Client, o => o with { OnCertificate = c => certificate = c });
        Assert.NotNull(outcome.Handler);
        await host.RevokeAsync(host.Client);
        string reason = await outcome.Handler.Closed.Task.WaitAsync(TimeSpan.FromMinutes(2), HostHarness.Cancel);
        Assert.Contains("revoked", reason, StringComparison.Ordinal);

        ConnectOutcome enrolment = await host.ConnectAsync(host.Client);
        Assert.Equal(LinkConnectFailure.Refused, enrolment.Failure);
        Assert.Contains("revoked", enrolment.Text, StringComparison.Ordinal);
        ConnectOutcome connect = await host.ConnectAsync(host.Client, o => o with { Certificate = certificate, Token = null });
        Assert.Equal(LinkConnectFailure.Refused, connect.Failure);
        Assert.Contains("revoked", connect.Text, StringComparison.Ordinal);
        Assert.True(host.Server.LinkEndpointCounters.NotAdmitted > 0);
    }
}
