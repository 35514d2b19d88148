using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Client;
using Ripple.Gms.Tests.Endpoint;

namespace Ripple.Gms.Tests.Api;

/// <summary>The regions of a real host, as its administrators see them.</summary>
public sealed class RegionApiTests
{
    private static CancellationToken Cancel => ApiHarness.Cancel;

    [Fact]
    public async Task An_administrator_of_the_cluster_sees_the_regions_and_their_parts()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        Assert.Empty(await ApiHarness.AllAsync(harness.Admin.ListRegionsAsync(Cancel)));
        await using RippleClient east = await JoinAsync(harness, "web-1", "east");
        await using RippleClient west = await JoinAsync(harness, "web-2", "west");

        List<RegionInfo> regions = await ApiHarness.AllAsync(harness.Admin.ListRegionsAsync(Cancel));
        Assert.Equal(["east", "west"], regions.Select(r => r.Zone).Order(StringComparer.Ordinal));
        Assert.Equal(regions.Select(r => r.Name).Order(StringComparer.Ordinal), regions.Select(r => r.Name));
        Assert.All(regions, r => Assert.Null(r.Parts));

        RegionInfo region = await harness.Admin.GetRegionAsync(regions.Single(r => r.Zone == "east").Name, Cancel);
        while (region.Parts is not [{ RoundIntervalMs: not null }])
        {
            Cancel.ThrowIfCancellationRequested();
            await Task.Delay(50, Cancel);
            region = await harness.Admin.GetRegionAsync(region.Name[..12], Cancel);
        }

        Assert.Equal((ApiHarness.Shop, 1, 0, 0), (region.Application, region.MemberCount, region.EnteringCount, region.UnreachedCount));
        Assert.Equal([ApiHarness.Shop], region.Interest);
        Assert.Equal((1, 0, 0), (region.PartCount, region.SubstitutedPartCount, region.SilentCount));
        RegionPartInfo part = region.Parts.Single();
        Assert.Equal((0, 1, "web-1", 0), (part.Index, part.MemberCount, part.Leader!.Name, part.Rank));
        Assert.Equal(part.First, part.Leader);
        Assert.Equal(part.Last, part.Leader);
        Assert.True(part.RoundAgeMs >= 0 && part.RoundIntervalMs > 0 && region.RoundAgeMs >= 0);
    }

    [Fact]
    public async Task A_list_comes_by_pages()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        await using RippleClient east = await JoinAsync(harness, "web-1", "east");
        await using RippleClient west = await JoinAsync(harness, "web-2", "west");
        using HttpClient http = harness.Http(harness.Host.Admin.Token!.Reveal());

        Page<RegionInfo> first = await PageAsync(http, "?limit=1");
        Page<RegionInfo> second = await PageAsync(http, $"?limit=1&cursor={first.Next}");

        Assert.Equal(first.Next, Assert.Single(first.Items).Name);
        Assert.True(string.CompareOrdinal(first.Next, Assert.Single(second.Items).Name) < 0);
        Assert.Null(second.Next);
        using HttpResponseMessage wrong = await http.GetAsync($"{AdminRoutes.Prefix}/regions?cursor=abc", Cancel);
        Assert.Equal(System.Net.HttpStatusCode.BadRequest, wrong.StatusCode);
    }

    [Fact]
    public async Task Who_administers_an_application_alone_does_not_see_them_and_what_is_not_there_is_not_found()
    {
        await using ApiHarness harness = await ApiHarness.StartAsync();
        RippleAdminClient owner = await harness.CallerAsync(Role.Admin, ApiHarness.Shop);

        Assert.Equal(
            ProblemCodes.NotAllowed, (await ApiHarness.FailsAsync(() => ApiHarness.AllAsync(owner.ListRegionsAsync(Cancel)))).Code);
        Assert.Equal(ProblemCodes.NotAllowed, (await ApiHarness.FailsAsync(() => owner.GetRegionAsync("12", Cancel))).Code);
        Assert.Equal(ProblemCodes.NotFound, (await ApiHarness.FailsAsync(() => harness.Admin.GetRegionAsync("12", Cancel))).Code);
        Assert.Equal(
            ProblemCodes.InvalidRequest, (await ApiHarness.FailsAsync(() => harness.Admin.GetRegionAsync("no name", Cancel))).Code);
    }

    private static async Task<Page<RegionInfo>> PageAsync(HttpClient http, string query) => System.Text.Json.JsonSerializer.Deserialize(
        await http.GetStringAsync($"{AdminRoutes.Prefix}/regions{query}", Cancel), AdminJson.Default.PageRegionInfo)!;

    private static async Task<RippleClient> JoinAsync(ApiHarness harness, string name, string zone) => await RippleClient.ConnectAsync(
        (await File.ReadAllTextAsync(harness.Host.Server.Directory.ClientConnection, Cancel)).Trim(),
        new RippleClientOptions
        {
            Name = name,
            Zone = zone,
            Application = ApiHarness.Shop,
            SnapshotMode = SnapshotMode.Off,
            ConnectTimeout = ControlHarness.Patience,
        },
        Cancel);
}
