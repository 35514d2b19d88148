using Ripple.Gms.Server;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Server;

/// <summary>The command that says that a store is a copy, and the start after it.</summary>
public sealed class RestoreCommandTests : IDisposable
{
    private readonly TempDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task The_start_after_it_goes_on_in_new_generations_and_is_logged_and_the_next_one_is_ordinary()
    {
        string client = await StartAndStopAsync();
        (int code, string output) = await HostProcess.RunAsync("restore", "--data", _directory.Path);
        Assert.True(code == 0, output);
        Assert.Contains("2 tokens are good in it", output, StringComparison.Ordinal);
        Assert.Contains(client, output, StringComparison.Ordinal);
        Assert.Contains("--revoke-tokens", output, StringComparison.Ordinal);

        await using (HostHarness host = await HostHarness.StartAsync(_directory.Path))
        {
            Assert.Contains(host.Logs.Lines, l => l.Text.Contains("is a copy (the command 'restore' said so)", StringComparison.Ordinal));
            Assert.Equal(client, host.Client.Token!.Id);
        }

        Assert.Equal(2u, State().GenerationMin);
        Assert.Equal(2u, Assert.Single(State().Applications).Generation);
        await StartAndStopAsync();
        Assert.Equal(2u, State().GenerationMin);
    }

    [Fact]
    public async Task It_revokes_every_token_when_told_to_and_the_host_writes_new_connection_strings()
    {
        string client = await StartAndStopAsync();
        (int code, string output) = await HostProcess.RunAsync("restore", "--data", _directory.Path, "--revoke-tokens");
        Assert.True(code == 0, output);
        Assert.Contains("2 tokens were revoked", output, StringComparison.Ordinal);
        Assert.All(State().Tokens, t => Assert.NotNull(t.RevokedUnixMicros));
        Assert.NotEqual(client, await StartAndStopAsync());
        Assert.Equal(2, State().Tokens.Count(t => t.RevokedUnixMicros is null));
    }

    [Fact]
    public async Task It_is_refused_while_the_host_runs()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        (int code, string output) = await HostProcess.RunAsync("restore", "--data", _directory.Path);
        Assert.Equal(1, code);
        Assert.Contains("Stop the host", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_store_that_used_up_the_slot_epochs_starts_again_after_they_are_reset()
    {
        await StartAndStopAsync();
        using (var store = new SqliteHostStore(new GmsDirectory(_directory.Path).Store))
        {
            await store.CommitAsync(new CommitBatch { SlotEpoch = uint.MaxValue });
        }

        StoreException e = await Assert.ThrowsAsync<StoreException>(() => HostHarness.StartAsync(_directory.Path));
        Assert.Contains("restore --reset-epoch", e.Message, StringComparison.Ordinal);
        (int code, string output) = await HostProcess.RunAsync("restore", "--data", _directory.Path, "--reset-epoch");
        Assert.True(code == 0, output);
        await StartAndStopAsync();
        Assert.InRange(State().SlotEpoch, 1_700_000_000u, uint.MaxValue / 2);
    }

    /// <summary>The id of the token in the connection string for nodes.</summary>
    private async Task<string> StartAndStopAsync()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        return host.Client.Token!.Id;
    }

    private HostState State()
    {
        using var store = new SqliteHostStore(new GmsDirectory(_directory.Path).Store, new HostStoreOptions { IsHost = false });
        return store.Load();
    }
}
