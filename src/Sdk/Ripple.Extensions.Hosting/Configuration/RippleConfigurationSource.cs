using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Configuration.EnvironmentVariables;
using Ripple.Extensions.Hosting.Connections;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>Holds the connection, so that all providers it builds share it.</summary>
/// <param name="name">The connection's name.</param>
/// <param name="configure">Sets options in code; null for none.</param>
/// <param name="isJudged">Whether a container with validators follows, and nothing takes effect before.</param>
internal sealed class RippleConfigurationSource(string name, Action<RippleOptions>? configure, bool isJudged) : IConfigurationSource
{
    private RippleConnection? _connection;
    private RippleConfigurationProvider? _loaded;
    private IConfigurationSource[]? _readFrom;
    private RippleOptions? _read;

    public string Name { get; } = name;

    /// <summary>Whether sources that are above these releases stand before this one, because it was appended.</summary>
    public bool IsAppended { get; private set; }

    /// <summary>
    /// Adds the source to a configuration that is read already, and loads it alone. Inserting it, or removing it after a failure, would
    /// have the configuration load every other source again.
    /// </summary>
    public void AddTo(ConfigurationManager configuration)
    {
        _connection = new RippleConnection(Name, ReadOptions(configuration), isJudged);
        var provider = new RippleConfigurationProvider(_connection);
        try
        {
            provider.Load();
        }
        catch
        {
            provider.Dispose();
            throw;
        }

        _loaded = provider;
        IsAppended = _connection.Options.Precedence == RipplePrecedence.BelowEnvironment;
        ((IConfigurationBuilder)configuration).Add(this);
    }

    public IConfigurationProvider Build(IConfigurationBuilder builder)
    {
        RippleConfigurationProvider provider = Interlocked.Exchange(ref _loaded, null)
            ?? new RippleConfigurationProvider(_connection ??= new RippleConnection(Name, ReadOptions(builder), isJudged));
        if (builder is ConfigurationManager configuration && IsAppended)
        {
            provider.Above = new ProvidersAbove(configuration, provider, SourcePosition.FindAbove(builder.Sources, this));
        }

        return provider;
    }

    /// <summary>The current options, from the builder's other sources and from code.</summary>
    public RippleOptions ReadOptions(IConfigurationBuilder builder)
    {
        if (builder is IConfiguration configuration)
        {
            var options = new RippleOptions();
            OptionsReader.Read(configuration, Name, options);
            configure?.Invoke(options);
            return options;
        }

        // The builder is not itself a configuration: build its other sources separately to read them, once.
        IConfigurationSource[] others = [.. builder.Sources.Where(s => s is not RippleConfigurationSource)];
        if (_read is null || !others.SequenceEqual(_readFrom!))
        {
            _read = new RippleOptions();
            ReadSeparately(builder, others, _read);
            configure?.Invoke(_read);
            _readFrom = others;
        }

        return _read;
    }

    private void ReadSeparately(IConfigurationBuilder builder, IConfigurationSource[] sources, RippleOptions options)
    {
        var others = new ConfigurationBuilder();
        foreach ((string key, object value) in builder.Properties)
        {
            others.Properties[key] = value;
        }

        Array.ForEach(sources, source => others.Add(source));
        using var kept = new KeptStreams(sources);
        IConfigurationRoot root = others.Build();
        OptionsReader.Read(root, Name, options);
        // A chained configuration still belongs to the builder.
        foreach (IDisposable provider in root.Providers.Where(p => p is not ChainedConfigurationProvider).OfType<IDisposable>())
        {
            provider.Dispose();
        }
    }
}

/// <summary>
/// What can be read once alone, the streams of sources, for two readings: replaced by copies now, and by further ones at the end.
/// </summary>
internal sealed class KeptStreams : IDisposable
{
    private readonly List<(StreamConfigurationSource Source, byte[] Content)> _contents = [];

    public KeptStreams(IEnumerable<IConfigurationSource> sources)
    {
        // One that was read before fails with .NET's own message.
        foreach (StreamConfigurationSource source in sources.OfType<StreamConfigurationSource>().Where(s => s.Stream is { CanRead: true }))
        {
            var copy = new MemoryStream();
            source.Stream!.CopyTo(copy);
            _contents.Add((source, copy.ToArray()));
        }

        Renew();
    }

    public void Dispose() => Renew();

    private void Renew()
    {
        foreach ((StreamConfigurationSource source, byte[] content) in _contents)
        {
            source.Stream = new MemoryStream(content, writable: false);
        }
    }
}

/// <summary>Finds the position of releases among a host's configuration sources.</summary>
internal static class SourcePosition
{
    private const string CommandLine = "Microsoft.Extensions.Configuration.CommandLine.CommandLineConfigurationSource";

    /// <summary>The index to insert at.</summary>
    public static int Find(IList<IConfigurationSource> sources, RipplePrecedence precedence) =>
        precedence == RipplePrecedence.Highest ? sources.Count : FindEnvironment(sources, sources.Count);

    /// <summary>
    /// The indices of the sources that are above releases though they stand before their source. Other releases that were appended are not
    /// among them: the later ones are above the earlier.
    /// </summary>
    public static int[] FindAbove(IList<IConfigurationSource> sources, IConfigurationSource releases)
    {
        int end = Math.Max(0, sources.IndexOf(releases));
        int begin = FindEnvironment(sources, end);
        return [.. Enumerable.Range(begin, end - begin).Where(i => sources[i] is not RippleConfigurationSource { IsAppended: true })];
    }

    private static int FindEnvironment(IList<IConfigurationSource> sources, int end)
    {
        // Before the files, hosts read prefixed variables (DOTNET_, ASPNETCORE_) and the command line for their own settings; those remain
        // below the releases.
        for (int i = 0; i < end; i++)
        {
            if (sources[i] is EnvironmentVariablesConfigurationSource { Prefix: null or "" })
            {
                return i;
            }
        }

        while (end > 0 && IsLast(sources[end - 1]))
        {
            end--;
        }

        return end;
    }

    private static bool IsLast(IConfigurationSource source) =>
        source is RippleConfigurationSource { IsAppended: true } || source.GetType().FullName == CommandLine;
}
