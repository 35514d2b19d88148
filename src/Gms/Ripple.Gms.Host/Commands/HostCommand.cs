using System.CommandLine;
using System.CommandLine.Parsing;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Hosting.Systemd;
using Ripple.Gms.Server;
using Ripple.Gms.Store;

namespace Ripple.Gms.Host.Commands;

/// <summary>
/// The program: the root command runs the host, subcommands work on its data directory. Exit codes: 0 done, 1 failed, 2 wrong usage.
/// </summary>
internal static class HostCommand
{
    private static readonly TimeSpan TakeoverPauseMin = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan TakeoverPauseMax = TimeSpan.FromSeconds(30);

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
        // A service manager that waits for it (Type=notify) is told, whether this host leads or stands by: it does its work either way.
        var manager = new SystemdNotifier();
        using var stop = new CancellationTokenSource();
        using PosixSignalRegistration terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
        using PosixSignalRegistration interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddSimpleConsole(console =>
        {
            console.SingleLine = true;
            console.UseUtcTimestamp = true;
            console.TimestampFormat = "yyyy-MM-ddTHH:mm:ss.fffZ ";
        }));
        bool hasStoodBy = false;
        options = options with
        {
            OnStandingBy = () =>
            {
                hasStoodBy = true;
                manager.Notify(ServiceState.Ready);
            },
        };
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = stop.Token.Register(asked.SetResult);
        TimeSpan pause = TakeoverPauseMin;
        while (!asked.Task.IsCompleted)
        {
            try
            {
                if (!await LeadAsync(options, loggers, manager, asked.Task, stop.Token).ConfigureAwait(false))
                {
                    break;
                }

                // Who has lost the lead to another host stands by, as a new start.
                pause = TakeoverPauseMin;
            }
            catch (StoreException e) when (hasStoodBy)
            {
                // The database broke while it took over: another may lead, or this host when it is back.
                HostLog.TakeoverFailed(loggers.CreateLogger("Ripple.Gms"), e.Message, (long)pause.TotalMilliseconds);
                await Task.WhenAny(asked.Task, Task.Delay(pause, CancellationToken.None)).ConfigureAwait(false);
                pause = pause * 2 > TakeoverPauseMax ? TakeoverPauseMax : pause * 2;
            }

            options = options with { HasLed = true };
        }

        return ExitCodes.Done;

        void OnSignal(PosixSignalContext signal)
        {
            // Suppresses the default termination: the process exits once the host has stopped.
            signal.Cancel = true;
            manager.Notify(ServiceState.Stopping);
            stop.Cancel();
        }
    }

    /// <summary>Runs a host until it is asked to stop, or until another leads; true for the latter.</summary>
    private static async Task<bool> LeadAsync(
        GmsServerOptions options, ILoggerFactory loggers, SystemdNotifier manager, Task asked, CancellationToken cancellationToken)
    {
        GmsServer server;
        try
        {
            server = await GmsServer.StartAsync(options, loggers, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return false;
        }

        await using (server.ConfigureAwait(false))
        {
            Console.WriteLine($"control endpoint   {server.Endpoint}");
            Console.WriteLine($"health endpoint    {(server.HealthAddress is { } health ? $"http://{health}/health/ready" : "off")}");
            Console.WriteLine($"data directory     {server.Directory.Path}");
            Console.WriteLine($"client connection  {server.Directory.ClientConnection}");
            Console.WriteLine($"admin connection   {server.Directory.AdminConnection}");
            Console.WriteLine($"cluster            {server.ClusterId}");
            Console.WriteLine("ready");
            manager.Notify(ServiceState.Ready);
            Task first = await Task.WhenAny(asked, server.Completion).ConfigureAwait(false);
            if (first != asked && server.IsLeaseLost)
            {
                return true;
            }

            await first.ConfigureAwait(false);
        }

        return false;
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
