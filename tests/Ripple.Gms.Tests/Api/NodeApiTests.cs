using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Client;
using Ripple.Gms.Tests.Endpoint;

namespace Ripple.Gms.Tests.Api;

/// <summary>Who may revoke which node.</summary>
public sealed class NodeApiTests
{
    private static CancellationToken Cancel => ApiHarness.Cancel;

    [Fact]
    public async Task Administrators_of_an_application_revoke_the_nodes_that_take_only_theirs()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await harness.Admin.CreateApplicationAsync("other", Cancel);
        CreatedToken made = await harness.Admin.CreateTokenAsync(
            new CreateTokenRequest { Applications = [ApiHarness.Shop, "other"] }, Cancel);
        await using RippleClient both = await RippleClient.ConnectAsync(
            made.ConnectionString,
            new RippleClientOptions
            {
                Name = "both",
                Application = ApiHarness.Shop,
                Interest = ["other"],
                SnapshotMode = SnapshotMode.Off,
                ConnectTimeout = ControlHarness.Patience,
            },
            Cancel);
        await using RippleClient one = await RippleClient.ConnectAsync(
            made.ConnectionString,
            new RippleClientOptions
            {
                Name = "one",
                Application = ApiHarness.Shop,
                SnapshotMode = SnapshotMode.Off,
                ConnectTimeout = ControlHarness.Patience,
            },
            Cancel);
        RippleAdminClient owner = await harness.CallerAsync(Role.Admin, ApiHarness.Shop);
        Dictionary<string, string> ids = (await ApiHarness.AllAsync(owner.ListNodesAsync(ApiHarness.Shop, null, Cancel)))
            .ToDictionary(n => n.Name, n => n.NodeId);

        await RefusedAsync(() => owner.RevokeNodeAsync(ids["both"], null, Cancel));
        await RefusedAsync(() => owner.RevokeNodeAsync(new string('1', 32), null, Cancel));
        await owner.RevokeNodeAsync(ids["one"], "for a test", Cancel);
        await owner.RevokeNodeAsync(ids["one"], null, Cancel);
        await harness.Admin.RevokeNodeAsync(ids["both"], null, Cancel);
        await harness.Admin.RevokeNodeAsync(new string('1', 32), "not known here", Cancel);

        Assert.Equal([ids["one"]], (await ApiHarness.AllAsync(owner.ListRevokedNodesAsync(Cancel))).Select(n => n.NodeId));
        Assert.Equal(
            new[] { ids["one"], ids["both"], new string('1', 32) }.Order(StringComparer.Ordinal),
            (await ApiHarness.AllAsync(harness.Admin.ListRevokedNodesAsync(Cancel))).Select(n => n.NodeId));
        Assert.Equal(
            ProblemCodes.InvalidRequest, (await ApiHarness.FailsAsync(() => owner.RevokeNodeAsync("web-1", null, Cancel))).Code);
        Assert.Equal(
            ProblemCodes.InvalidRequest,
            (await ApiHarness.FailsAsync(() => owner.RevokeNodeAsync(ids["one"], "a\u202Eb", Cancel))).Code);
    }

    private static async Task RefusedAsync(Func<Task> call) =>
        Assert.Equal(ProblemCodes.NotAllowed, (await ApiHarness.FailsAsync(call)).Code);
}
