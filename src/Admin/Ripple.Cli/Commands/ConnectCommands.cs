using System.CommandLine;
using System.Text;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Profiles;
using Ripple.Cli.Output;
using Ripple.Trust;

namespace Ripple.Cli.Commands;

/// <summary><c>connect</c> and <c>whoami</c>.</summary>
internal static class ConnectCommands
{
    private const int CharsMax = 65_536;

    public static Command Connect(CliScope scope)
    {
        var file = new Argument<string?>("FILE")
        {
            Description = "A connection file, as a host or 'token create' writes it; '-' or nothing: standard input",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var command =
            new Command("connect", "Saves a connection for the commands that follow, after asking the host who you are.") { file };
        command.Validators.Add(result =>
        {
            if (result.GetValue(file) is not null && result.GetValue(scope.Connection) is not null)
            {
                result.AddError("FILE and --connection are both given. Leave one.");
            }
        });
        return scope.Run(command, async context =>
        {
            ConnectionString connection = await ReadAsync(context, context.Result.GetValue(file)).ConfigureAwait(false);
            using RippleAdminClient client = CliContext.Open(connection);
            Identity identity = await client.GetIdentityAsync(context.Cancel).ConfigureAwait(false);
            ClusterInfo cluster = await client.GetClusterAsync(context.Cancel).ConfigureAwait(false);
            string path = CliContext.Resolve(() => context.Profile.Path);
            context.Profile.Save(connection);
            context.Write(identity, AdminJson.Default.Identity, _ =>
            {
                context.Line($"connected to cluster {cluster.ClusterId} at {cluster.Host}");
                Tell(context, identity);
                context.Line($"saved to {path}, which only you can read");
            });
            return ExitCodes.Done;
        });
    }

    public static Command WhoAmI(CliScope scope) =>
        scope.Run(new Command("whoami", "Shows who the host takes you for, and what you may do."), async context =>
        {
            Identity identity = await context.Client.GetIdentityAsync(context.Cancel).ConfigureAwait(false);
            context.Write(identity, AdminJson.Default.Identity, i => Tell(context, i));
            return ExitCodes.Done;
        });

    private static void Tell(CliContext context, Identity identity)
    {
        string name = identity.Name.Length == 0 ? string.Empty : $" ({identity.Name})";
        context.Line($"token {identity.TokenId}{name}, recorded as {identity.Actor}: {Show.Roles(identity.Roles)}");
    }

    private static async Task<ConnectionString> ReadAsync(CliContext context, string? file)
    {
        if ((file ?? context.GivenConnection) is { } given && given != "-")
        {
            return CliContext.Resolve(() => ConnectionProfile.Read(given));
        }

        if (file is null && !context.Console.IsInputRedirected)
        {
            throw new CliException(
                "Give a connection file, or send its text to standard input. A host writes one into its data "
                    + "directory, as admin.connection.");
        }

        using var reader = new StreamReader(context.Console.OpenInput(), Encoding.UTF8);
        char[] buffer = new char[CharsMax];
        int read = await reader.ReadBlockAsync(buffer, context.Cancel).ConfigureAwait(false);
        string text = new string(buffer, 0, read).Trim();
        return CliContext.Resolve(() => ConnectionString.TryParse(text, out ConnectionString? connection, out string error)
            ? connection!
            : throw new FormatException($"Standard input holds no connection string. {error}"));
    }
}
