using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Api;

namespace Ripple.Gms.Tests.Server;

/// <summary>Somebody writes to the store's file. What was changed is given to nobody, and the host's log says what it is.</summary>
public sealed class TamperedStoreTests
{
    private static CancellationToken Cancel => ApiHarness.Cancel;

    [Theory]
    [InlineData("UPDATE content SET body = 'owned' WHERE body = CAST('secret' AS BLOB)", "was changed in the store")]
    [InlineData("PRAGMA foreign_keys = OFF; DELETE FROM content WHERE body = CAST('secret' AS BLOB)", null)]
    public async Task A_changed_value_is_not_served_and_the_rest_is(string sql, string? logged)
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "secret"), cancellationToken: Cancel);
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("b", "good"), cancellationToken: Cancel);
        StoreSql.Run(harness.Host.Server.Directory.Store, sql);

        for (int i = 0; i < 3; i++)
        {
            RippleAdminException refused = await ApiHarness.FailsAsync(
                () => harness.Admin.ReadKeyAsync(ApiHarness.Shop, "a", null, Cancel));
            Assert.Equal((ProblemCodes.StoreDamaged, 500), (refused.Code, refused.Problem!.Status));
        }

        // One damage is told once, by its name, and is the end of nothing else.
        string[] lines = [.. harness.Host.Logs.Lines.Where(l => l.Id == LogEvents.StoreDamaged).Select(l => l.Text)];
        Assert.Equal(logged is null ? 0 : 1, lines.Length);
        Assert.All(lines, l => Assert.StartsWith("The value of 'a' of 'shop', release 1 (", l, StringComparison.Ordinal));
        Assert.All(lines, l => Assert.Contains(logged!, l, StringComparison.Ordinal));
        Assert.Equal("good"u8.ToArray(), (await harness.Admin.ReadKeyAsync(ApiHarness.Shop, "b", null, Cancel)).Bytes.ToArray());
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("c", "1"), cancellationToken: Cancel);
    }

    [Fact]
    public async Task A_past_state_whose_changes_were_rewritten_is_neither_shown_nor_released_again()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "good"), cancellationToken: Cancel);
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("b", "owned"), cancellationToken: Cancel);
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "better"), cancellationToken: Cancel);
        // A value that is well, under a key that never had it.
        StoreSql.Run(
            harness.Host.Server.Directory.Store,
            "UPDATE changes SET (length, digest) = (SELECT length, digest FROM changes WHERE key = 'b') WHERE key = 'a' AND release = 1");

        foreach (Func<Task> ask in (Func<Task>[])
        [
            () => ApiHarness.AllAsync(harness.Admin.ListKeysAsync(ApiHarness.Shop, 2, cancellationToken: Cancel)),
            () => harness.Admin.DiffAsync(ApiHarness.Shop, 2, 3, Cancel),
            () => harness.Admin.ReadKeyAsync(ApiHarness.Shop, "a", 1, Cancel),
            () => harness.Admin.RollbackAsync(ApiHarness.Shop, new RollbackRequest(2), cancellationToken: Cancel),
        ])
        {
            RippleAdminException refused = await ApiHarness.FailsAsync(ask);
            Assert.Equal((ProblemCodes.StoreDamaged, 500), (refused.Code, refused.Problem!.Status));
        }

        string[] lines = [.. harness.Host.Logs.Lines.Where(l => l.Id == LogEvents.StoreDamaged).Select(l => l.Text)];
        Assert.Equal(2, lines.Length);
        Assert.StartsWith("The keys of release 2 of 'shop' were changed in the store", lines[0], StringComparison.Ordinal);
        Assert.Equal(3UL, (await harness.Admin.GetApplicationAsync(ApiHarness.Shop, Cancel)).Release);
    }

    [Fact]
    public async Task A_changed_header_is_not_shown()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1", "note-1"), cancellationToken: Cancel);
        await harness.Admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "2"), cancellationToken: Cancel);
        StoreSql.Run(harness.Host.Server.Directory.Store, Forge("note-1", "note-2", "release = 1"));

        RippleAdminException refused = await ApiHarness.FailsAsync(
            () => ApiHarness.AllAsync(harness.Admin.ListReleasesAsync(ApiHarness.Shop, null, Cancel)));

        Assert.Equal(ProblemCodes.StoreDamaged, refused.Code);
        Assert.Contains(
            harness.Host.Logs.Lines,
            l => l.Id == LogEvents.StoreDamaged && l.Text.Contains("header of release 1", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_host_does_not_start_on_a_newest_release_that_was_changed(bool withItsSignature)
    {
        using var directory = new TempDirectory();
        string store;
        await using (HostHarness host = await HostHarness.StartAsync(directory.Path, o => o with { Application = ApiHarness.Shop }))
        {
            store = host.Server.Directory.Store;
            using var admin = new RippleAdminClient(host.Admin);
            await admin.PublishAsync(ApiHarness.Shop, ApiHarness.Set("a", "1", "note-1"), cancellationToken: Cancel);
        }

        StoreSql.Run(store, withItsSignature
            ? "UPDATE releases SET signature = CAST(substr(signature, 1, 20) || zeroblob(52) AS BLOB)"
            : Forge("note-1", "note-2", "release = 1"));

        Exception refused = await Assert.ThrowsAnyAsync<Exception>(
            () => HostHarness.StartAsync(directory.Path, o => o with { Application = ApiHarness.Shop }));

        Assert.Contains(
            withItsSignature ? "has a signature that is not its own" : "header of release 1 was changed",
            refused.Message,
            StringComparison.Ordinal);
        Assert.Contains("Restore a backup", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>Changes a text inside headers: of the same length, so that they can be read.</summary>
    private static string Forge(string text, string by, string where)
    {
        string at = $"instr(header, CAST('{text}' AS BLOB))";
        return "UPDATE releases SET header = "
            + $"CAST(substr(header, 1, {at} - 1) || '{by}' || substr(header, {at} + {text.Length}) AS BLOB) WHERE {where}";
    }
}
