using System.CommandLine;
using Ripple.Admin.Contracts;
using Ripple.Cli.Output;
using Ripple.Trust;

namespace Ripple.Cli.Commands;

/// <summary><c>token create</c>, <c>token list</c> and <c>token revoke</c>.</summary>
internal static class TokenCommands
{
    private const int DaysMax = 3_650;

    public static Command Make(CliScope scope, NameArguments names) =>
        new("token", "Makes, lists and revokes tokens.") { Create(scope, names), List(scope), Revoke(scope) };

    private static Command Create(CliScope scope, NameArguments names)
    {
        var applications = new Option<string[]>("--application", "-a")
        {
            Description = "An application it is good for; again for more, '*' for all",
            HelpName = "APP",
            Required = true,
        };
        applications.CompletionSources.Add(names.Application().GetCompletions);
        var role = new Option<Role>("--role")
        {
            CustomParser = Parsed.Role,
            Description = "What it may do there, node by default",
            HelpName = "node|publisher|admin",
            DefaultValueFactory = _ => Role.Node,
        };
        role.CompletionSources.Clear();
        role.CompletionSources.Add("node", "publisher", "admin");
        var name = new Option<string?>("--name") { Description = "A name for people", HelpName = "NAME" };
        var expires = new Option<int?>("--expires")
        {
            CustomParser = result => Parsed.Count("--expires", DaysMax, "days")(result),
            Description = "Days until it ends. Default: never",
            HelpName = "DAYS",
        };
        var path = new Option<string?>("--out")
        {
            Description = "Writes the connection string into a new file that only its owner reads",
            HelpName = "FILE",
        };
        var print = new Option<bool>("--print") { Description = "Shows the connection string, secret included" };
        var command = new Command(
            "create", "Makes a token and gives it out as a connection string. The secret is not kept: it cannot be shown again.")
        {
            applications,
            role,
            name,
            expires,
            path,
            print,
        };
        command.Validators.Add(result =>
        {
            if (result.GetValue(path) is null == !result.GetValue(print))
            {
                result.AddError("Say where the connection string goes: either --out FILE, or --print.");
            }
        });
        return scope.Run(command, context => CreateAsync(
            context,
            new CreateTokenRequest
            {
                Applications = [.. (context.Get(applications) ?? []).Distinct(StringComparer.Ordinal)],
                Role = context.Get(role),
                Name = context.Get(name) ?? string.Empty,
                ExpiresInDays = context.Get(expires),
            },
            context.Get(path)));
    }

    private static Command List(CliScope scope) =>
        scope.Run(new Command("list", "Lists the tokens you administer, without secrets."), async context =>
        {
            await context.WriteAsync(
                context.Client.ListTokensAsync(context.Cancel),
                AdminJson.Default.TokenInfo,
                new TextTable("ID", "STATE", "CREATED", "EXPIRES", "MADE BY", "NAME", "ROLES"),
                t =>
                [
                    t.TokenId,
                    State(t),
                    Show.Time(t.Created),
                    Show.Time(t.Expires, "never"),
                    t.MadeBy ?? "-",
                    t.Name.Length == 0 ? "-" : t.Name,
                    Show.Roles(t.Roles),
                ]).ConfigureAwait(false);
            return ExitCodes.Done;
        });

    private static Command Revoke(CliScope scope)
    {
        var id = new Argument<string>("ID") { Description = "The token's id, as listed" };
        var ending = new EndingOptions();
        var command = new Command(
            "revoke", "Revokes a token, and what it made. Nodes that enrolled with it are removed, and none is let in again.") { id };
        ending.AddTo(command);
        return scope.Run(
            command,
            async context =>
            {
                string tokenId = context.Get(id);
                if (AccessTokenSecret.TryParse(tokenId, out AccessTokenSecret? secret))
                {
                    // Given a whole token, send only its id: the secret must not spread further.
                    tokenId = secret!.Id;
                }

                if (ending.IsDryRun(context))
                {
                    return EndingOptions.WritePlan(
                        context, await context.Client.PlanRevokeTokenAsync(tokenId, context.Cancel).ConfigureAwait(false));
                }

                EndedRights ended = await context.Client.RevokeTokenAsync(
                    tokenId, ending.KeepsMade(context), context.Cancel).ConfigureAwait(false);
                if (context.IsJson)
                {
                    List<TokenInfo> revoked = await context.Client.ListTokensAsync(context.Cancel).Where(
                        t => t.TokenId == tokenId || ended.Tokens.Contains(t.TokenId)).ToListAsync(context.Cancel).ConfigureAwait(false);
                    JsonOutput.WriteArray(context.Console.Out, revoked, AdminJson.Default.TokenInfo);
                }
                else
                {
                    context.Line($"{tokenId} revoked");
                    EndingOptions.WriteLines(context, ended with { Tokens = [.. ended.Tokens.Where(t => t != tokenId)] });
                }

                return ExitCodes.Done;
            });
    }

    private static string State(TokenInfo token) => token.State switch
    {
        TokenState.Good => "good",
        TokenState.Expired => "expired",
        _ => "revoked",
    };

    private static async Task<int> CreateAsync(CliContext context, CreateTokenRequest request, string? path)
    {
        if (path is not null)
        {
            // Checked before the token is created: a secret that cannot be written is lost.
            CheckPlace(path);
        }

        CreatedToken created = await context.Client.CreateTokenAsync(request, context.Cancel).ConfigureAwait(false);
        if (path is null)
        {
            context.Write(created, AdminJson.Default.CreatedToken, c => context.Line(c.ConnectionString));
            return ExitCodes.Done;
        }

        try
        {
            ConnectionString.Parse(created.ConnectionString).Write(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await context.Client.RevokeTokenAsync(created.Token.TokenId, CancellationToken.None).ConfigureAwait(false);
            throw new CliException(
                $"'{path}' cannot be written ({e.Message}), so that the token {created.Token.TokenId} was revoked again. "
                    + $"Give a path that this user may write.");
        }

        context.Write(created.Token, AdminJson.Default.TokenInfo, t => context.Line($"{t.TokenId} written to {Path.GetFullPath(path)}"));
        return ExitCodes.Done;
    }

    private static void CheckPlace(string path)
    {
        if (File.Exists(path) || Directory.Exists(path))
        {
            throw new CliException($"'{path}' exists. Give another file, or remove it first.");
        }

        if (!Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(path))))
        {
            throw new CliException($"The folder of '{path}' does not exist. Make it first, or give another file.");
        }
    }
}
