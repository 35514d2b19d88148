using System.Collections;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Completion;
using Ripple.PowerShell.Output;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Regions as Get-RippleRegion writes them.</summary>
public sealed class RegionTests : CmdletTest
{
    public RegionTests() => Cluster.SetRegions(Region("12ab000000000000", "east"), Region("77cd000000000000", "west"));

    [Fact]
    public void All_regions_come_without_their_parts()
    {
        Pipeline.Run<GetRippleRegionCommand>(null, null);

        Assert.Equal([("12ab000000000000", "east", 0), ("77cd000000000000", "west", 0)], Regions());
        Assert.Empty(Pipeline.Errors);
    }

    [Fact]
    public void A_region_that_is_named_comes_with_its_parts_and_one_that_is_not_there_is_one_error()
    {
        Pipeline.Run<GetRippleRegionCommand>(null, new { Name = new[] { "99", "77cd" } });

        Assert.Equal([("77cd000000000000", "west", 1)], Regions());
        RippleRegion region = Pipeline.Objects<RippleRegion>().Single();
        Assert.Equal(("web-1", "web-1"), (region.Parts[0].Leader!.Name, region.Accusations.Single().Accuser.Name));
        Assert.Equal(
            ("Ripple.not_found", (object)"99"), (Pipeline.Errors.Single().FullyQualifiedErrorId, Pipeline.Errors.Single().TargetObject));
    }

    [Fact]
    public void Wildcards_select_from_the_list()
    {
        Pipeline.Run<GetRippleRegionCommand>(null, new { Name = new[] { "12*" } });

        Assert.Equal([("12ab000000000000", "east", 0)], Regions());
        Assert.Equal("GET /v1/regions?limit=200", Assert.Single(Cluster.Asked));
    }

    [Fact]
    public void Regions_are_offered() => Assert.Equal(
        ["77cd000000000000"],
        new RegionCompleter().CompleteArgument("Get-RippleRegion", "Name", "77", null!, new Hashtable()).Select(c => c.CompletionText));

    private (string Name, string Zone, int Parts)[] Regions() =>
        [.. Pipeline.Objects<RippleRegion>().Select(r => (r.Name, r.Zone, r.Parts.Count))];

    private static RegionInfo Region(string name, string zone)
    {
        var member = new RegionMemberInfo(new string('1', 32), "web-1");
        return new RegionInfo
        {
            Name = name,
            Zone = zone,
            Application = "orders",
            Interest = ["orders"],
            View = "1.1",
            MemberCount = 1,
            EnteringCount = 0,
            UnreachedCount = 0,
            GroupAddress = null,
            GroupMemberCount = 0,
            Packets = 1,
            Repairs = 0,
            PaceBytesPerSecond = 1,
            PartCount = 1,
            SubstitutedPartCount = 0,
            SilentCount = 0,
            RoundAgeMs = 1,
            Accusations = [new RegionAccusationInfo { Member = member, Accuser = member, AgeMs = 1, RoundCount = 1, HeardMs = 1 }],
            Parts =
            [
                new RegionPartInfo
                {
                    Index = 0,
                    MemberCount = 1,
                    First = member,
                    Last = member,
                    Leader = member,
                    Rank = 0,
                    InPlaceOf = [],
                    Rounds = 1,
                    RoundAgeMs = 1,
                    RoundIntervalMs = null,
                    Silent = [],
                },
            ],
        };
    }
}
