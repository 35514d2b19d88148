using System.CommandLine;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin;
using Ripple.Admin.Profiles;
using Ripple.Cli.Commands;
using Ripple.Cli.Output;
using Ripple.Trust;

namespace Ripple.Cli;

/// <summary>The context of one running command.</summary>
internal sealed class CliContext(CliScope scope, ParseResult result, CancellationToken cancellationToken) : IDisposable
{
    private RippleAdminClient? _client;

    public ParseResult Result { get; } = result;

    public CancellationToken Cancel { get; } = cancellationToken;

    public CliConsole Console { get; } = scope.Console;

    public ConnectionProfile Profile { get; } = new(scope.Console.Environment);

    public string? GivenConnection => Result.GetValue(scope.Connection);

    public bool IsJson => Result.GetValue(scope.Format) == OutputFormat.Json;

    /// <summary>Whether the output may be updated in place.</summary>
    public bool IsLive => !IsJson && Console.Ansi is not null;

    /// <summary>The client of the cluster, for the connection that was given or found.</summary>
    public RippleAdminClient Client => _client ??= Open(Resolve(() => Profile.Resolve(GivenConnection)));

    public static RippleAdminClient Open(ConnectionString connection) => new(connection, new RippleAdminOptions { UserAgent = "ripple" });

    /// <summary>Reports an invalid connection as a usage error.</summary>
    public static T Resolve<T>(Func<T> read)
    {
        try
        {
            return read();
        }
        catch (FormatException e)
        {
            throw new CliException(e.Message);
        }
    }

    public T Get<T>(Argument<T> argument) => Result.GetRequiredValue(argument);

    public T? Get<T>(Option<T> option) => Result.GetValue(option);

    public void Line(string line) => Console.Out.WriteLine(ShownText.Line(line));

    /// <summary>Writes one JSON document, or text as written by the caller.</summary>
    public void Write<T>(T value, JsonTypeInfo<T> type, Action<T> asText)
    {
        if (IsJson)
        {
            JsonOutput.Write(Console.Out, value, type);
        }
        else
        {
            asText(value);
        }
    }

    /// <summary>Writes a list, as a JSON array or a table.</summary>
    public async Task WriteAsync<T>(IAsyncEnumerable<T> items, JsonTypeInfo<T> type, TextTable table, Func<T, string[]> row)
    {
        var all = new List<T>();
        await foreach (T item in items.WithCancellation(Cancel).ConfigureAwait(false))
        {
            all.Add(item);
        }

        if (IsJson)
        {
            JsonOutput.WriteArray(Console.Out, all, type);
            return;
        }

        foreach (T item in all)
        {
            table.Add(row(item));
        }

        table.Write(Console.Out);
    }

    public void Dispose() => _client?.Dispose();
}

/// <summary>State shared by all commands of one run.</summary>
internal sealed class CliScope
{
    public CliScope(CliConsole console)
    {
        Console = console;
        Format.CompletionSources.Clear();
        Format.CompletionSources.Add("text", "json");
    }

    /// <summary>The console the commands use.</summary>
    public CliConsole Console { get; }

    /// <summary><c>--connection</c>, on every command.</summary>
    public Option<string?> Connection { get; } = new("--connection", "-c")
    {
        Description = "A connection file, or a connection string (which others on this machine may see in the list of processes). Default: "
            + "RIPPLE_CONNECTION, RIPPLE_CONNECTION_FILE, then what 'connect' saved",
        HelpName = "FILE|STRING",
        Recursive = true,
    };

    /// <summary><c>--output</c>, on every command.</summary>
    public Option<OutputFormat> Format { get; } = new("--output", "-o")
    {
        Description =
            "How to tell it, text by default. json is one document on standard output; a failure is a problem document on standard error",
        HelpName = "text|json",
        Recursive = true,
        CustomParser = Parsed.Format,
        DefaultValueFactory = _ => OutputFormat.Text,
    };

    /// <summary>Sets the action of a command.</summary>
    public Command Run(Command command, Func<CliContext, Task<int>> work)
    {
        command.SetAction(async (result, cancellationToken) =>
        {
            using var context = new CliContext(this, result, cancellationToken);
            return await work(context).ConfigureAwait(false);
        });
        return command;
    }
}
