using System.Text.Json;
using Ripple.Admin.Contracts;
using Ripple.Cli.Commands;
using Ripple.Cli.Tests.Hosting;
using Ripple.Client;

namespace Ripple.Cli.Tests.Commands;

public sealed class RegionsTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task Regions_are_listed_and_one_is_shown_with_its_parts()
    {
        string application = await ApplicationAsync("1");
        await using RippleClient node = await Host.JoinAsync(application, "web-1");
        JsonElement listed = Assert.Single((await RunAsync("regions", "-o", "json")).Done().Json.EnumerateArray());
        string name = listed.GetProperty("name").GetString()!;

        CliRun list = (await RunAsync("regions")).Done();
        JsonElement json = await UntilAsync(
            async () => (await RunAsync("region", name, "-o", "json")).Done().Json,
            r => r.GetProperty("partCount").GetInt32() > 0 && r.GetProperty("parts")[0].GetProperty("rounds").GetInt64() > 0);
        CliRun text = (await RunAsync("region", name[..12])).Done();

        Assert.StartsWith("NAME ", list.Lines[0], StringComparison.Ordinal);
        Assert.StartsWith($"{name}  eu-1  {application}", list.Lines[1], StringComparison.Ordinal);
        Assert.Equal("web-1", json.GetProperty("parts")[0].GetProperty("leader").GetProperty("name").GetString());
        Assert.Equal($"region {name}: {application} in zone eu-1, takes {application}", text.Lines[0]);
        Assert.StartsWith("view ", text.Lines[1], StringComparison.Ordinal);
        Assert.Equal("no multicast group", text.Lines[2]);
        Assert.Equal("members: 0 repairs to each other, 0 asked for in vain", text.Lines[4]);
        Assert.Equal(7, text.Lines.Length);
        Assert.Matches(@"^ +0 +1  web-1  web-1  web-1 +0  -", text.Lines[6]);
        Assert.Contains(name, (await RunAsync("[suggest:14]", "ripple region ")).Done().Lines);
    }

    [Theory]
    [InlineData(0, 0, "members: 0 repairs to each other, 0 asked for in vain")]
    [InlineData(97, 3, "members: 97 repairs to each other, 3 asked for in vain; 97 % of what they were asked for was there")]
    [InlineData(0, 2, "members: 0 repairs to each other, 2 asked for in vain; 0 % of what they were asked for was there")]
    public void What_members_had_of_what_they_were_asked_for_is_told(long made, long missed, string text) =>
        Assert.Equal(text, RegionCommands.MemberRepairs(made, missed));

    [Fact]
    public void Who_does_not_hear_whom_is_told() => Assert.Equal(
        "web-1 does not hear 00000000000000000000000000000002, for 812.5 ms; "
            + "the host heard it 740.0 ms ago, and 3 rounds since then did not",
        RegionCommands.Accusation(new RegionAccusationInfo
        {
            Member = new RegionMemberInfo("00000000000000000000000000000002", string.Empty),
            Accuser = new RegionMemberInfo("00000000000000000000000000000001", "web-1"),
            AgeMs = 812.5,
            RoundCount = 3,
            HeardMs = 740,
        }));

    [Fact]
    public async Task A_region_that_is_not_there_says_where_to_look()
    {
        (await RunAsync("region", "0")).Failed(2, "no region '0'", "list of regions");
        (await RunAsync("region", "shop")).Failed(2, "'shop'", "16 hexadecimal digits");
    }
}
