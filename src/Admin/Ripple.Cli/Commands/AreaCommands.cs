using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>area set</c>, <c>area remove</c> and <c>zones</c>.</summary>
internal static class AreaCommands
{
    public static Command Make(CliScope scope, NameArguments names) =>
        new("area", "Says which zones are an area, for $AREA and $AZ_ of predicates.") { Set(scope, names), Remove(scope, names) };

    public static Command Zones(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        return scope.Run(new Command("zones", "Lists the zones of an application's nodes, and the areas.") { application }, async context =>
        {
            string name = context.Get(application);
            DefinitionsInfo definitions = await context.Client.GetDefinitionsAsync(name, context.Cancel).ConfigureAwait(false);
            var counts = new SortedDictionary<string, int>(StringComparer.Ordinal);
            foreach (string zone in definitions.Areas.SelectMany(a => a.Zones))
            {
                counts[zone] = 0;
            }

            await foreach (NodeInfo node in context.Client.ListNodesAsync(name, null, context.Cancel).ConfigureAwait(false))
            {
                counts[node.Zone] = counts.GetValueOrDefault(node.Zone) + 1;
            }

            ZoneReport[] zones =
            [
                .. counts.Select(c => new ZoneReport(
                    c.Key, c.Value, [.. definitions.Areas.Where(a => a.Zones.Contains(c.Key)).Select(a => a.Name)])),
            ];
            context.Write(zones, CliJson.Default.ZoneReportArray, all =>
            {
                var table = new TextTable("ZONE", ">NODES", "AREAS");
                foreach (ZoneReport zone in all)
                {
                    table.Add(zone.Zone, Show.Number(zone.Nodes), zone.Areas.Count == 0 ? "-" : string.Join(", ", zone.Areas));
                }

                table.Write(context.Console.Out);
            });
            return ExitCodes.Done;
        });
    }

    private static Command Set(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        Argument<string> name = Name();
        var zones = new Argument<string>("ZONES") { Description = "Its zones with commas between: eu-west,eu-north" };
        Option<string?> note = DefinitionChange.Note();
        var command = new Command("set", "Says which zones are an area; takes an administrator of the application.")
        {
            application,
            name,
            zones,
            note,
        };
        return scope.Run(command, async context => DefinitionChange.Tell(
            context, $"area {context.Get(name)}", "set", await context.Client.SetAreaAsync(
            context.Get(application),
            context.Get(name),
            context.Get(zones).Split(','),
            context.Get(note) ?? string.Empty,
            context.Cancel).ConfigureAwait(false)));
    }

    private static Command Remove(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        Argument<string> name = Name();
        Option<string?> note = DefinitionChange.Note();
        var command = new Command("remove", "Takes an area away: its zones are areas by themselves again.") { application, name, note };
        return scope.Run(command, async context => DefinitionChange.Tell(
            context, $"area {context.Get(name)}", "removed", await context.Client.RemoveAreaAsync(
            context.Get(application), context.Get(name), context.Get(note) ?? string.Empty, context.Cancel).ConfigureAwait(false)));
    }

    private static Argument<string> Name() => new("NAME") { Description = "The area's name" };
}

/// <summary>A zone of an application.</summary>
/// <param name="Zone">Its name.</param>
/// <param name="Nodes">The nodes that are there.</param>
/// <param name="Areas">The areas it is in.</param>
internal sealed record ZoneReport(string Zone, int Nodes, IReadOnlyList<string> Areas);
