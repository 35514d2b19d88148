using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>regions</c> and <c>region</c>.</summary>
internal static class RegionCommands
{
    /// <summary>Silent members named in a table; the others are counted.</summary>
    private const int NamesShownMax = 4;

    /// <summary>What members repaired for each other, and how much of what they were asked for that was.</summary>
    internal static string MemberRepairs(long made, long missed) =>
        $"members: {made} repairs to each other, {missed} asked for in vain"
            + (made + missed > 0 ? $"; {100 * made / (made + missed)} % of what they were asked for was there" : string.Empty);

    /// <summary>Who did not hear whom, and what the host heard.</summary>
    internal static string Accusation(RegionAccusationInfo accusation) =>
        $"{Name(accusation.Accuser)} does not hear {Name(accusation.Member)}, for {Show.Milliseconds(accusation.AgeMs)} ms; "
            + $"the host heard it {Show.Milliseconds(accusation.HeardMs)} ms ago, and {accusation.RoundCount} rounds since then did not";

    public static Command Regions(CliScope scope) => scope.Run(
        new Command("regions", "Lists the regions of the host; takes an administrator of the cluster."),
        async context =>
        {
            await context.WriteAsync(
                context.Client.ListRegionsAsync(context.Cancel),
                AdminJson.Default.RegionInfo,
                new TextTable(
                    "NAME",
                    "ZONE",
                    "APPLICATION",
                    "VIEW",
                    ">MEMBERS",
                    ">ENTERING",
                    ">UNREACHED",
                    ">LEAVES",
                    ">PARTS",
                    ">SUBSTITUTED",
                    ">SILENT",
                    ">ROUND-AGE-MS",
                    "GROUP"),
                r =>
                [
                    r.Name,
                    r.Zone,
                    r.Application,
                    r.View,
                    Show.Number(r.MemberCount),
                    Show.Number(r.EnteringCount),
                    Show.Number(r.UnreachedCount),
                    Show.Number(r.LeafCount),
                    Show.Number(r.PartCount),
                    Show.Number(r.SubstitutedPartCount),
                    Show.Number(r.SilentCount),
                    Show.Milliseconds(r.RoundAgeMs),
                    r.GroupAddress ?? "-",
                ]).ConfigureAwait(false);
            return ExitCodes.Done;
        });

    public static Command Region(CliScope scope, NameArguments names)
    {
        Argument<string> name = names.Region();
        var command = new Command("region", "Shows one region and the parts of its view; takes an administrator of the cluster.") { name };
        return scope.Run(command, async context =>
        {
            RegionInfo region = await context.Client.GetRegionAsync(context.Get(name), context.Cancel).ConfigureAwait(false);
            context.Write(region, AdminJson.Default.RegionInfo, r => Tell(context, r));
            return ExitCodes.Done;
        });
    }

    private static void Tell(CliContext context, RegionInfo region)
    {
        context.Line($"region {region.Name}: {region.Application} in zone {region.Zone}, takes {string.Join(", ", region.Interest)}");
        context.Line(
            $"view {region.View}: {region.MemberCount} members, {region.EnteringCount} entering, "
                + $"of them {region.UnreachedCount} not reached by UDP");
        context.Line(
            region.GroupAddress is { } group
                ? $"multicast group {group}, heard by {region.GroupMemberCount}"
                : "no multicast group");
        context.Line(
            $"stream: {region.Packets} packets, {region.Repairs} repairs, at most {region.PaceBytesPerSecond} bytes a second to each");
        context.Line(MemberRepairs(region.MemberRepairs, region.MemberRepairsMissed));
        foreach (RegionLeafInfo leaf in region.Leaves ?? [])
        {
            context.Line(
                $"leaf {Name(leaf.Member)} for {Show.Milliseconds(leaf.AgeMs)} ms: {leaf.Reason}"
                    + (leaf.IsReturning ? "; it has joined again, and UDP has not reached it yet" : string.Empty));
        }

        foreach (RegionAccusationInfo accusation in region.Accusations ?? [])
        {
            context.Line(Accusation(accusation));
        }

        var table = new TextTable(
            ">PART",
            ">MEMBERS",
            "FIRST",
            "LAST",
            "LEADER",
            ">RANK",
            "IN-PLACE-OF",
            ">ROUNDS",
            ">AGE-MS",
            ">INTERVAL-MS",
            ">REPAIRS",
            "SILENT");
        foreach (RegionPartInfo part in region.Parts ?? [])
        {
            table.Add(
                Show.Number(part.Index),
                Show.Number(part.MemberCount),
                Name(part.First),
                Name(part.Last),
                part.Leader is { } leader ? Name(leader) : "-",
                part.Rank is { } rank ? Show.Number(rank) : "-",
                Names(part.InPlaceOf),
                Show.Number(part.Rounds),
                Show.Milliseconds(part.RoundAgeMs),
                Show.Milliseconds(part.RoundIntervalMs),
                Show.Number(part.Repairs),
                Names(part.Silent));
        }

        table.Write(context.Console.Out);
    }

    private static string Names(IReadOnlyList<RegionMemberInfo> members) => members.Count == 0
        ? "-"
        : string.Join(", ", members.Take(NamesShownMax).Select(Name))
            + (members.Count > NamesShownMax ? $" and {members.Count - NamesShownMax} more" : string.Empty);

    /// <summary>Who has no name any more is told by its id.</summary>
    private static string Name(RegionMemberInfo member) => member.Name.Length == 0 ? member.NodeId : member.Name;
}
