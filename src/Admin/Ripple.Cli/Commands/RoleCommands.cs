using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;

namespace Ripple.Cli.Commands;

/// <summary><c>role list</c>, <c>role set</c> and <c>role remove</c>.</summary>
internal static class RoleCommands
{
    public static Command Make(CliScope scope, NameArguments names) =>
        new("role", "Says which token may do what in which application.") { List(scope, names), Set(scope, names), Remove(scope, names) };

    private static Command List(CliScope scope, NameArguments names)
    {
        Option<string?> application = names.ApplicationOption("--application", "Only in this application");
        return scope.Run(new Command("list", "Lists who may do what.") { application }, async context =>
        {
            await context.WriteAsync(
                context.Client.ListRolesAsync(context.Get(application), context.Cancel),
                AdminJson.Default.RoleGrant,
                new TextTable("TOKEN", "MADE BY", "APPLICATION", "ROLE"),
                r => [r.TokenId, r.MadeBy ?? "-", r.Application, Show.Role(r.Role)]).ConfigureAwait(false);
            return ExitCodes.Done;
        });
    }

    private static Command Set(CliScope scope, NameArguments names)
    {
        Argument<string> token = Token();
        Argument<string> application = names.Application();
        var role = new Argument<Role>("ROLE")
        {
            CustomParser = Parsed.Role,
            Description = "What it may do there: node, publisher or admin; each includes those before it",
        };
        role.CompletionSources.Clear();
        role.CompletionSources.Add("node", "publisher", "admin");
        Option<bool> keep = EndingOptions.KeepOption();
        var outlives = new Option<bool>("--outlive")
        {
            Description = "Lets the role stay when your own token has expired; for administrators of the cluster",
        };
        return scope.Run(new Command("set", "Gives a token a role in an application ('*': in all), instead of the one it had there.")
        {
            token,
            application,
            role,
            keep,
            outlives,
        }, async context =>
        {
            RoleGrant grant = await context.Client.SetRoleAsync(
                context.Get(token),
                context.Get(application),
                context.Get(role),
                context.Get(keep),
                context.Get(outlives),
                context.Cancel).ConfigureAwait(false);
            context.Write(grant, AdminJson.Default.RoleGrant, g => context.Line($"{g.TokenId} is {Show.Roles([g])}"));
            return ExitCodes.Done;
        });
    }

    private static Command Remove(CliScope scope, NameArguments names)
    {
        Argument<string> token = Token();
        Argument<string> application = names.Application();
        var ending = new EndingOptions();
        var command = new Command("remove", "Takes a token's role in an application away, and what it made by it.") { token, application };
        ending.AddTo(command);
        return scope.Run(command, async context =>
        {
            string id = context.Get(token);
            string name = context.Get(application);
            if (ending.IsDryRun(context))
            {
                return EndingOptions.WritePlan(
                    context, await context.Client.PlanRemoveRoleAsync(id, name, context.Cancel).ConfigureAwait(false));
            }

            EndedRights ended = await context.Client.RemoveRoleAsync(
                id, name, ending.KeepsMade(context), context.Cancel).ConfigureAwait(false);
            if (context.IsJson)
            {
                // The roles the token still has.
                List<RoleGrant> left = await context.Client.ListRolesAsync(null, context.Cancel).Where(r => r.TokenId == id).ToListAsync(
                    context.Cancel).ConfigureAwait(false);
                JsonOutput.WriteArray(context.Console.Out, left, AdminJson.Default.RoleGrant);
            }
            else
            {
                context.Line($"{id} has no role in {(name == "*" ? "all applications" : name)} any more");
                EndingOptions.WriteLines(
                    context, ended with { Roles = [.. ended.Roles.Where(r => r.TokenId != id || r.Application != name)] });
            }

            return ExitCodes.Done;
        });
    }

    private static Argument<string> Token() => new("TOKEN") { Description = "The token's id" };
}
