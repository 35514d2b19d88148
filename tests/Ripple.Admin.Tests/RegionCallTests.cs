using Ripple.Admin.Contracts;

namespace Ripple.Admin.Tests;

/// <summary>The calls that ask for regions, at a host without nodes.</summary>
public sealed class RegionCallTests(RealHost host) : IClassFixture<RealHost>
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_host_without_nodes_has_no_regions()
    {
        using RippleAdminClient client = RippleAdminClient.Connect(host.ConnectionText);

        Assert.Empty(await client.ListRegionsAsync(Token).ToListAsync(Token));
        Assert.Equal(ProblemCodes.NotFound, await CodeAsync(client, "12"));
    }

    [Theory]
    [InlineData("no name")]
    [InlineData("a/b")]
    [InlineData("12?limit=1")]
    public async Task Whatever_is_given_for_a_name_reaches_the_host_as_one(string name)
    {
        using RippleAdminClient client = RippleAdminClient.Connect(host.ConnectionText);

        Assert.Equal(ProblemCodes.InvalidRequest, await CodeAsync(client, name));
    }

    private static async Task<string> CodeAsync(RippleAdminClient client, string name) =>
        (await Assert.ThrowsAsync<RippleAdminException>(() => client.GetRegionAsync(name, Token))).Code;
}
