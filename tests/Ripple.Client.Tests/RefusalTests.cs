using Ripple.Client.Tests.Hosting;

namespace Ripple.Client.Tests;

/// <summary>Clients that are not let in.</summary>
public sealed class RefusalTests : ClientScenario
{
    [Fact]
    public async Task A_wrong_token_is_refused()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        string wrong = host.ConnectionStringFor("shop").Replace(
            "Token=", "Token=0000000000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA;#", StringComparison.Ordinal);
        wrong = wrong[..wrong.IndexOf(";#", StringComparison.Ordinal)] + ";Application=shop";
        RippleRefusedException e = await Assert.ThrowsAsync<RippleRefusedException>(
            () => RippleClient.ConnectAsync(wrong, Patient(new() { SnapshotDirectory = Folder.Path }), Token));
        Assert.Contains("The token is not known here", e.Message, StringComparison.Ordinal);
        Assert.Contains("administrator", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_of_another_authority_is_refused()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        string pinned = Convert.ToHexStringLower(host.Authority.Trust.Fingerprint.Span);
        string other = host.ConnectionStringFor("shop").Replace(pinned, new string('0', 64), StringComparison.Ordinal);
        RippleRefusedException e = await Assert.ThrowsAsync<RippleRefusedException>(
            () => RippleClient.ConnectAsync(other, Patient(new() { SnapshotDirectory = Folder.Path }), Token));
        Assert.Contains("authority", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_revoked_token_ends_the_connection_and_no_restart_gets_in_with_it()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        await using RippleClient client = await ConnectAsync(host);
        var refused = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.ConnectionStateChanged += (_, change) =>
        {
            if (change.State == ConnectionState.Refused)
            {
                refused.TrySetResult(change.Reason);
            }
        };
        await client.PublishAsync(Publish("a", "1"), Token);
        await SeeAsync(client, 1);
        await host.RevokeAsync();

        Assert.NotEqual("", await refused.Task.WaitAsync(TimeSpan.FromMinutes(2), Token));
        Assert.Equal("1", ValueOf(client, "a"));
        await Assert.ThrowsAsync<RippleRefusedException>(() => client.PublishAsync(Publish("a", "2"), Token));
        await client.DisposeAsync();
        await Assert.ThrowsAsync<RippleRefusedException>(() => ConnectAsync(host));
    }

    [Fact]
    public async Task An_application_that_is_not_there_is_said_at_the_start()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        RippleException e = await Assert.ThrowsAnyAsync<RippleException>(
            () => ConnectAsync(host, new RippleClientOptions { Application = "nowhere" }));
        Assert.Contains("nowhere", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_address_of_another_machine_cannot_be_bound()
    {
        await using TestHost host = await TestHost.StartNewAsync("shop");
        RippleException e = await Assert.ThrowsAsync<RippleException>(
            () => ConnectAsync(host, new RippleClientOptions { BindAddress = System.Net.IPAddress.Parse("192.0.2.1") }));
        Assert.Contains("BindAddress", e.Message, StringComparison.Ordinal);
    }
}
