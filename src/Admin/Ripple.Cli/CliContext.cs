using System.CommandLine;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin;
using Ripple.Admin.Profiles;
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
