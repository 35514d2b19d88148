using System.CommandLine;
using System.CommandLine.Parsing;
using Ripple.Gms.Server;
using Ripple.Gms.Store;

namespace Ripple.Gms.Host.Commands;

/// <summary>
/// The program: the root command runs the host, subcommands work on its data directory. Exit codes: 0 done, 1 failed, 2 wrong usage.
/// </summary>
internal static class HostCommand
{
    /// <summary>Parses and runs a command line; returns the exit code.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        RootCommand root = args.Contains(ExplainMemory.Name) ? ExplainMemory.MakeRoot() : Make();
        // An argument is what was typed, also one that begins with '@'.
        ParseResult result = root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (result.Errors.Count > 0)
        {
            foreach (ParseError error in result.Errors)
            {
                await Console.Error.WriteLineAsync(error.Message).ConfigureAwait(false);
            }

            await Console.Error.WriteLineAsync("Run with --help to see what there is.").ConfigureAwait(false);
            return ExitCodes.Usage;
        }

        try
        {
            if (result.GetValue(CommonOptions.Sqlite) is { } sqlite)
            {
                SqliteLibrary.Use(sqlite);
            }

            return await result.InvokeAsync(
                new InvocationConfiguration
                {
                    EnableDefaultExceptionHandler = false,
                    ProcessTerminationTimeout = null,
                }).ConfigureAwait(false);
        }
        catch (Exception e) when (e is GmsServerException or StoreException or CommandException)
        {
            // The server names its options as a program does that has it inside.
            await Console.Error.WriteLineAsync(e.Message
                .Replace($"({nameof(GmsServerOptions.ListenAddress)})", "(--listen)", StringComparison.Ordinal)
                .Replace($"({nameof(GmsServerOptions.HealthAddress)})", "(--health)", StringComparison.Ordinal)).ConfigureAwait(false);
            return e is CommandException { IsUsage: true } ? ExitCodes.Usage : ExitCodes.Failed;
        }
        catch (Exception e)
        {
            // Unexpected: print everything, since the operator's only remedy is to report it.
            await Console.Error.WriteLineAsync(e.ToString()).ConfigureAwait(false);
            return ExitCodes.Failed;
        }
    }

    private static RootCommand Make()
    {
        var options = new RunOptions();
        var root = new RootCommand(
            "Runs a Ripple host: the membership service with its store. The first start in a data directory makes a cluster.");
        root.Options.Add(CommonOptions.Data);
        root.Options.Add(CommonOptions.StoreFile);
        root.Options.Add(CommonOptions.Sqlite);
        options.AddTo(root);
        new ExplainMemory().AddTo(root);
        root.SetAction((result, _) => RunHostAsync(options.Read(result)));
        root.Subcommands.Add(TokenCommands.Make());
        root.Subcommands.Add(ApplicationCommands.Make());
        root.Subcommands.Add(AuditCommand.Make());
        root.Subcommands.Add(RestoreCommand.Make());
        root.Subcommands.Add(StoreCommands.Make());
        return root;
    }

    private static async Task<int> RunHostAsync(GmsServerOptions options)
    {
        await HostService.RunAsync(options).ConfigureAwait(false);
        return ExitCodes.Done;
    }
}

/// <summary>Exit codes of the program.</summary>
internal static class ExitCodes
{
    /// <summary>The command succeeded.</summary>
    public const int Done = 0;

    /// <summary>The command failed; one line states the problem and the remedy.</summary>
    public const int Failed = 1;

    /// <summary>The command line is wrong.</summary>
    public const int Usage = 2;
}

/// <summary>A command that cannot be carried out. The message is the single line shown to the user.</summary>
/// <param name="message">The problem and the remedy.</param>
/// <param name="isUsage">True if the command line itself is wrong.</param>
internal sealed class CommandException(string message, bool isUsage = false) : Exception(message)
{
    /// <summary>True if the command line itself is wrong.</summary>
    public bool IsUsage { get; } = isUsage;
}

/// <summary>Options shared by several commands.</summary>
internal static class CommonOptions
{
    /// <summary>The data directory that the command works on.</summary>
    public static Option<string> Data { get; } = new("--data")
    {
        Description = "The host's data directory. Made where it is missing; one host at a time.",
        HelpName = "DIR",
        Required = true,
        Recursive = true,
    };

    /// <summary>The file that names the database of the store.</summary>
    public static Option<string?> StoreFile { get; } = new("--store-file")
    {
        Description = "A file, readable by its owner alone, with the connection string of a PostgreSQL database that keeps the store. "
            + "Default: the store is a file in the data directory",
        HelpName = "FILE",
        Recursive = true,
    };

    /// <summary>The SQLite that keeps the store.</summary>
    public static Option<string?> Sqlite { get; } = new("--sqlite")
    {
        Description = "A shared library of SQLite to use instead of the one that comes with this program: 3.35.5 or newer, such as the "
            + "system's, which its updates keep without known faults",
        HelpName = "FILE",
        Recursive = true,
    };
}
