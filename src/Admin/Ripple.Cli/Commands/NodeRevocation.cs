using System.CommandLine;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

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
