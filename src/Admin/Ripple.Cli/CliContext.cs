using System.CommandLine;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin;
using Ripple.Admin.Profiles;
using Ripple.Cli.Output;
using Ripple.Trust;

namespace Ripple.Cli;

/// <summary>One command that runs.</summary>
internal sealed class CliContext(CliScope scope, ParseResult result, CancellationToken cancellationToken) : IDisposable
{
    private RippleAdminClient? _client;

    public ParseResult Result { get; } = result;

    public CancellationToken Cancel { get; } = cancellationToken;

    public CliConsole Console { get; } = scope.Console;

    public ConnectionProfile Profile { get; } = new(scope.Console.Environment);

    public string? GivenConnection => Result.GetValue(scope.Connection);

    public bool IsJson => Result.GetValue(scope.Format) == OutputFormat.Json;

    /// <summary>True when what is shown may move.</summary>
    public bool IsLive => !IsJson && Console.Ansi is not null;

    /// <summary>The cluster, by the connection that is found for it.</summary>
    public RippleAdminClient Client => _client ??= Open(Resolve(() => Profile.Resolve(GivenConnection)));

    public static RippleAdminClient Open(ConnectionString connection) => new(connection, new RippleAdminOptions { UserAgent = "ripple" });

    /// <summary>A connection that is not good is a wrong command line.</summary>
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

    public void Line(string line) => Console.Out.WriteLine(SafeText.Line(line));

    /// <summary>One document, or what the caller writes as text.</summary>
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

    /// <summary>A list: an array, or a table.</summary>
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
