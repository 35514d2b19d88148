using System.CommandLine;
using System.Globalization;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Host.Commands;

/// <summary>
/// <c>token create</c>, <c>token list</c>, <c>token revoke</c>: work on the data directory, also beside a running host, which notices
/// within a second.
/// </summary>
internal static class TokenCommands
{
    private const int DaysMax = 3_650;

    public static Command Make() => new("token", "Makes, lists and revokes join tokens.") { Create(), List(), Revoke() };

    private static Command Create()
    {
        var applications = new Option<string[]>("--application", "-a")
        {
            Description = "An application it is good for; again for more, '*' for all",
            HelpName = "NAME",
            Required = true,
        };
        var role = new Option<string>("--role") { Description = "What it is good for", DefaultValueFactory = _ => NodeRoles.Node };
        role.AcceptOnlyFromAmong(NodeRoles.Node, NodeRoles.Publisher, NodeRoles.Admin);
        var expires = new Option<int?>("--expires") { Description = "Days until it ends. Default: never", HelpName = "DAYS" };
        var path = new Option<string?>("--out")
        {
            Description = "Writes the connection string into a file that only its owner reads",
            HelpName = "FILE",
        };
        var print = new Option<bool>("--print") { Description = "Shows the connection string, secret included" };
        var command = new Command(
            "create", "Makes a token and gives it out as a connection string. The secret is not kept: it cannot be shown again.")
        {
            applications,
            role,
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

            if (result.GetValue(expires) is < 1 or > DaysMax)
            {
                result.AddError($"--expires takes 1 to {DaysMax} days.");
            }
        });
        command.SetAction((result, _) => CreateAsync(
            DirectoryOf(result),
            result.GetValue(CommonOptions.StoreFile),
            [.. result.GetRequiredValue(applications).Distinct(StringComparer.Ordinal)],
            RoleOf(result.GetRequiredValue(role)),
            result.GetValue(expires),
            result.GetValue(path)));
        return command;
    }

    private static Command List()
    {
        var command = new Command("list", "Lists the tokens, without secrets.");
        command.SetAction(async (result, _) =>
        {
            using IHostStore store = OpenedStore.Open(DirectoryOf(result), result.GetValue(CommonOptions.StoreFile));
            long nowMicros = SystemWallClock.Instance.UnixMicros;
            Console.WriteLine($"{"ID",-16}  {"ROLE",-9}  {"STATE",-8}  {"MADE BY",-16}  {"CREATED",-20}  {"EXPIRES",-20}  APPLICATIONS");
            foreach (AccessToken token in await store.TokensAsync().ConfigureAwait(false))
            {
                string state = token.RevokedUnixMicros is not null ? "revoked" : token.ExpiresUnixMicros <= nowMicros ? "expired" : "good";
                string expires = token.ExpiresUnixMicros is { } micros ? UnixTime.Text(micros) : "never";
                Console.WriteLine(
                    $"{token.Id,-16}  {token.HighestRole.ToString().ToLowerInvariant(),-9}  {state,-8}  "
                        + $"{token.MadeBy ?? "-",-16}  {UnixTime.Text(token.CreatedUnixMicros),-20}  {expires,-20}  {Describe(token)}");
            }

            return ExitCodes.Done;
        });
        return command;
    }

    private static Command Revoke()
    {
        var id = new Argument<string>("ID") { Description = "The token's id, as listed" };
        var keep = new Option<bool>("--keep-made")
        {
            Description = "Lets the tokens it made and the roles it gave stay, which otherwise end with it",
        };
        var command = new Command(
            "revoke", "Revokes a token, and what it made. Nodes that enrolled with it are removed, and none is let in again.") { id, keep };
        command.SetAction(async (result, _) =>
        {
            string tokenId = result.GetRequiredValue(id);
            using IHostStore store = OpenedStore.Open(DirectoryOf(result), result.GetValue(CommonOptions.StoreFile));
            IReadOnlyList<AccessToken> all = await store.TokensAsync().ConfigureAwait(false);
            AccessToken token = all.FirstOrDefault(t => t.Id == tokenId)
                ?? throw new CommandException($"There is no token '{tokenId}'. See 'token list'; give the id alone, without the secret.");
            if (token.RevokedUnixMicros is { } revoked)
            {
                Console.WriteLine($"{token.Id} was revoked already, at {UnixTime.Text(revoked)}");
                return ExitCodes.Done;
            }

            AccessTokenChange change = AccessTokenChange.Revoke(token.Id, SystemWallClock.Instance.UnixMicros, OpenedStore.Actor) with
            {
                KeepsMade = result.GetValue(keep),
            };
            await store.CommitAsync(new CommitBatch { Tokens = [change] }).ConfigureAwait(false);
            Console.WriteLine($"{token.Id} revoked");
            foreach (AccessTokenChange ended in MadeRights.EndedBy(change, all))
            {
                Console.WriteLine(ended.Kind == AccessTokenChangeKind.Revoke
                    ? $"{ended.TokenId} revoked, made by {ended.EndedMaker}"
                    : $"{ended.TokenId} has no role in {ended.Granted!.Value.Application} any more, given by {ended.EndedMaker}");
            }

            return ExitCodes.Done;
        });
        return command;
    }

    /// <summary>The applications, each with its role when that is not the token's highest.</summary>
    private static string Describe(AccessToken token) => string.Join(
        ',',
        token.Grants.Select(g => g.Role == token.HighestRole ? g.Application : $"{g.Application}:{g.Role.ToString().ToLowerInvariant()}"));

    private static GmsDirectory DirectoryOf(ParseResult result) => new(Path.GetFullPath(result.GetRequiredValue(CommonOptions.Data)));

    private static AccessRole RoleOf(string role) => role switch
    {
        NodeRoles.Admin => AccessRole.Admin,
        NodeRoles.Publisher => AccessRole.Publisher,
        _ => AccessRole.Node,
    };

    private static async Task<int> CreateAsync(
        GmsDirectory directory, string? storeFile, string[] applications, AccessRole role, int? days, string? path)
    {
        if (applications.Contains("*") && applications.Length > 1)
        {
            throw new CommandException("'*' stands for all applications; give it alone.", isUsage: true);
        }

        if (path is not null && File.Exists(path))
        {
            throw new CommandException($"'{path}' exists. Give another file, or remove it first.");
        }

        using IHostStore store = OpenedStore.Open(directory, storeFile);
        HostState state = store.Load();
        if (applications.FirstOrDefault(a => a != "*" && !state.Applications.Any(s => s.Name == a)) is { } unknown)
        {
            throw new CommandException($"There is no application '{unknown}'. See 'application list', or create it first.");
        }

        ConnectionString cluster = ConnectionFile.TryRead(directory.AdminConnection) ?? ConnectionFile.TryRead(directory.ClientConnection)
            ?? throw new CommandException(
                $"Neither '{directory.AdminConnection}' nor '{directory.ClientConnection}' can be read, "
                    + $"so the host's address is not known. Start the host once; it writes them.");
        AccessTokenSecret secret = AccessTokenSecret.New();
        long nowMicros = SystemWallClock.Instance.UnixMicros;
        long? expires = days is { } count ? nowMicros + (count * 86_400_000_000L) : null;
        var token = new AccessToken(secret.Id, secret.Hash, AccessTokenGrant.For(applications, role), nowMicros, expires, null);
        string? application = applications is [not "*"] ? applications[0] : null;
        if (path is not null)
        {
            Write(path, ConnectionFile.Make(cluster.Endpoints, cluster.Authority, secret, application));
        }

        try
        {
            await store.CommitAsync(
                new CommitBatch { Tokens = [AccessTokenChange.Create(token, OpenedStore.Actor)] }).ConfigureAwait(false);
        }
        catch when (path is not null)
        {
            File.Delete(path);
            throw;
        }

        Console.WriteLine(path is not null
            ? string.Create(CultureInfo.InvariantCulture, $"{token.Id} written to {Path.GetFullPath(path)}")
            : ConnectionFile.Text(cluster.Endpoints, cluster.Authority, secret, application));
        return ExitCodes.Done;
    }

    private static void Write(string path, ConnectionString connection)
    {
        try
        {
            connection.Write(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CommandException($"'{path}' cannot be written ({e.Message}). Give a path that this user may write.");
        }
    }
}
