using System.CommandLine;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Holders;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>nodes</c> and <c>who-has</c>.</summary>
internal static class NodeCommands
{
    private const int LiveLinesMax = 12;

    public static Command Nodes(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var behind = new Option<bool>("--behind") { Description = "Only nodes that do not have the newest release in effect" };
        var release = new Option<ulong?>("--release", "-r")
        {
            CustomParser = Parsed.ReleaseOrNull,
            Description = "With --behind: this release instead of the newest",
            HelpName = "N",
        };
        var gone = new Option<bool>("--gone") { Description = "Nodes that left or failed as well" };
        var command = new Command("nodes", "Lists the nodes of an application and how far each is.") { application, behind, release, gone };
        command.Validators.Add(result =>
        {
            if (result.GetValue(release) is not null && !result.GetValue(behind))
            {
                result.AddError("--release says what to be behind: give --behind as well.");
            }
        });
        return scope.Run(command, async context =>
        {
            string name = context.Get(application);
            ulong? than = !context.Get(behind)
                ? null
                : context.Get(release) ?? (await context.Client.GetApplicationAsync(name, context.Cancel).ConfigureAwait(false)).Release;
            await context.WriteAsync(
                context.Client.ListNodesAsync(
                    name, new NodeQuery { BehindRelease = than, IncludesGone = context.Get(gone) }, context.Cancel),
                AdminJson.Default.NodeInfo,
                new TextTable("NODE", "ZONE", "STATE", ">RECEIVED", ">PERSISTED", ">APPLIED", ">REJECTED", "ID", "REASON"),
                n =>
                [
                    n.Name,
                    n.Zone,
                    Show.State(n.State),
                    Show.Number(n.Received),
                    Show.Number(n.Persisted),
                    Show.Number(n.Applied),
                    n.Rejected == 0 ? "-" : Show.Number(n.Rejected),
                    n.NodeId,
                    Show.FirstLine(n.Reason),
                ]).ConfigureAwait(false);
            return ExitCodes.Done;
        });
    }

    public static Command WhoHas(CliScope scope, NameArguments names)
    {
        Argument<string> application = names.Application();
        var release = new Argument<ulong?>("RELEASE")
        {
            CustomParser = Parsed.ReleaseOrNull,
            Description = "The release. Default: the newest",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var watch = new Option<bool>("--watch", "-w")
        {
            Description = "Goes on until every node has it or rejected it; exit code 3 unless all have it, and when none is there",
        };
        Option<int> timeout = WaitOptions.TimeoutOption();
        timeout.Description = "With --watch: when to give up";
        var command = new Command("who-has", "Shows which nodes have a release in effect, and names those that do not, with their reasons.")
        {
            application,
            release,
            watch,
            timeout,
        };
        return scope.Run(command, async context =>
        {
            string name = context.Get(application);
            ulong? number = context.Result.GetValue(release);
            bool isWatched = context.Get(watch);
            ReleaseHolders holders = isWatched
                ? await WatchAsync(context, name, number, TimeSpan.FromSeconds(context.Get(timeout))).ConfigureAwait(false)
                : await context.Client.GetHoldersAsync(name, number, context.Cancel).ConfigureAwait(false);
            context.Write(holders, CliJson.Default.ReleaseHolders, h => Tell(context, h));
            // Where nobody is, nothing is proven.
            return isWatched && (holders.Total == 0 || !holders.IsHeldByAll) ? ExitCodes.NotHeld : ExitCodes.Done;
        });
    }

    private static Task<ReleaseHolders> WatchAsync(CliContext context, string application, ulong? release, TimeSpan timeout) =>
        LiveView.RunAsync(context, async show =>
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(context.Cancel);
            limit.CancelAfter(timeout);
            ReleaseHolders? last = null;
            try
            {
                await foreach (ReleaseHolders holders in context.Client.WatchHoldersAsync(
                    application, release, null, limit.Token).ConfigureAwait(false))
                {
                    last = holders;
                    show([Head(context, holders), .. Names(holders).Lines().Take(LiveLinesMax)]);
                }
            }
            catch (OperationCanceledException) when (!context.Cancel.IsCancellationRequested && last is not null)
            {
                // Time is up: the last state is the result.
            }
            catch (OperationCanceledException) when (!context.Cancel.IsCancellationRequested)
            {
                throw new RippleAdminException(
                    AdminFailure.Unreachable, $"No host answered within {timeout.TotalSeconds} s. Give a longer --timeout.");
            }

            return last!;
        });

    private static string Head(CliContext context, ReleaseHolders holders)
    {
        string rejected = holders.Rejected.Count == 0 ? string.Empty : $", {holders.Rejected.Count} rejected it";
        string behind = holders.Behind.Count == 0 ? string.Empty : $", {holders.Behind.Count} behind";
        return $"{LiveView.Bar(context, holders.Holding, holders.Total)}{holders.Holding} of {holders.Total} have {holders.Application} "
            + $"release {holders.Release}{behind}{rejected}{Nobody(holders)}";
    }

    private static void Tell(CliContext context, ReleaseHolders holders)
    {
        // If progress was shown line by line, this was already the last line.
        if (context.IsLive || context.Result.CommandResult.Command.Name != "who-has" || !IsWatched(context))
        {
            context.Line(
                $"{holders.Holding} of {holders.Total} have {holders.Application} release "
                    + $"{holders.Release}{Nobody(holders)}{(holders.IsHeldByAll ? string.Empty : ":")}");
        }

        if (!holders.IsHeldByAll)
        {
            Names(holders).Write(context.Console.Out);
        }
    }

    private static string Nobody(ReleaseHolders holders) => holders.Total == 0 ? ": no node that takes it is there now" : string.Empty;

    private static bool IsWatched(CliContext context) => context.Result.GetValue<bool>("--watch");

    private static TextTable Names(ReleaseHolders holders)
    {
        var table = new TextTable("STATE", "NODE", "ZONE", ">RECEIVED", ">APPLIED", "ID", "REASON");
        foreach (NodeInfo node in holders.Rejected)
        {
            table.Add(
                "rejected",
                node.Name,
                node.Zone,
                Show.Number(node.Received),
                Show.Number(node.Applied),
                node.NodeId,
                Show.FirstLine(node.Reason));
        }

        foreach (NodeInfo node in holders.Behind)
        {
            table.Add(
                node.State == NodeState.Present ? "behind" : Show.State(node.State),
                node.Name,
                node.Zone,
                Show.Number(node.Received),
                Show.Number(node.Applied),
                node.NodeId,
                "");
        }

        return table;
    }
}

/// <summary><c>node revoke</c> and <c>node revoked</c>.</summary>
internal static class NodeRevocation
{
    private const int NodeIdDigits = 32;

    public static Command Make(CliScope scope, NameArguments names) =>
        new("node", "Revokes single nodes, and lists those that were.") { Revoke(scope, names), Revoked(scope) };

    private static Command Revoke(CliScope scope, NameArguments names)
    {
        var node = new Argument<string>("NODE") { Description = "The node's id, or its name among the nodes you see" };
        Option<string?> application = names.ApplicationOption("--application", "With a name: the application it takes");
        var reason = new Option<string?>("--reason") { Description = "Why, for the list and the audit", HelpName = "TEXT" };
        return scope.Run(
            new Command(
                "revoke",
                "Revokes a node's certificate: its session ends, and it is not let in again. Its token stays good: revoke that as well "
                    + "to keep out who has it.") { node, application, reason },
            async context =>
            {
                string id = await FindAsync(context, context.Get(node), context.Get(application)).ConfigureAwait(false);
                await context.Client.RevokeNodeAsync(id, context.Get(reason), context.Cancel).ConfigureAwait(false);
                if (context.IsJson)
                {
                    List<RevokedNodeInfo> revoked = await context.Client.ListRevokedNodesAsync(context.Cancel)
                        .Where(n => n.NodeId == id).ToListAsync(context.Cancel).ConfigureAwait(false);
                    JsonOutput.WriteArray(context.Console.Out, revoked, AdminJson.Default.RevokedNodeInfo);
                }
                else
                {
                    context.Line($"{id} revoked");
                }

                return ExitCodes.Done;
            });
    }

    private static Command Revoked(CliScope scope) =>
        scope.Run(new Command("revoked", "Lists the nodes that were revoked and may have a certificate yet."), async context =>
        {
            await context.WriteAsync(
                context.Client.ListRevokedNodesAsync(context.Cancel),
                AdminJson.Default.RevokedNodeInfo,
                new TextTable("ID", "REVOKED", "NAME", "BY", "REASON"),
                n => [n.NodeId, Show.Time(n.Revoked), n.Name.Length == 0 ? "-" : n.Name, n.Actor, n.Reason]).ConfigureAwait(false);
            return ExitCodes.Done;
        });

    /// <summary>The id that was given, or that of the only node with that name in the applications that the caller sees.</summary>
    private static async Task<string> FindAsync(CliContext context, string text, string? application)
    {
        if (text.Length == NodeIdDigits && text.All(char.IsAsciiHexDigit))
        {
            return text.ToLowerInvariant();
        }

        List<string> applications = application is not null
            ? [application]
            : await context.Client.ListApplicationsAsync(context.Cancel).Select(a => a.Name).ToListAsync(
                context.Cancel).ConfigureAwait(false);
        var found = new SortedSet<string>(StringComparer.Ordinal);
        foreach (string name in applications)
        {
            await foreach (NodeInfo node in context.Client.ListNodesAsync(
                name, new NodeQuery { IncludesGone = true }, context.Cancel).ConfigureAwait(false))
            {
                if (node.Name == text)
                {
                    found.Add(node.NodeId);
                }
            }
        }

        return found.Count switch
        {
            1 => found.Min!,
            0 => throw new CliException($"No node is called '{text}'. Give the id of its certificate, or see 'nodes APP --gone'."),
            _ => throw new CliException(
                $"{found.Count} nodes are called '{text}': {string.Join(", ", found.Take(8))}. Give the id of one."),
        };
    }
}
