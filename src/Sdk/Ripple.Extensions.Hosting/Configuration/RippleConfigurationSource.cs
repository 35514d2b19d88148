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

    public string Name { get; } = name;

    public IConfigurationProvider Build(IConfigurationBuilder builder)
    {
        _connection ??= new RippleConnection(Name, ReadOptions(builder), isJudged);
        return new RippleConfigurationProvider(_connection);
    }

    /// <summary>The current options, from the builder's other sources and from code.</summary>
    public RippleOptions ReadOptions(IConfigurationBuilder builder)
    {
        var options = new RippleOptions();
        if (builder is IConfiguration configuration)
        {
            OptionsReader.Read(configuration, Name, options);
        }
        else
        {
            // The builder is not itself a configuration: build its other sources separately to read them.
            var others = new ConfigurationBuilder();
            foreach ((string key, object value) in builder.Properties)
            {
                others.Properties[key] = value;
            }

            foreach (IConfigurationSource source in builder.Sources.Where(s => s is not RippleConfigurationSource))
            {
                others.Add(source);
            }

            IConfigurationRoot root = others.Build();
            OptionsReader.Read(root, Name, options);
            // A chained configuration still belongs to the builder.
            foreach (IDisposable provider in root.Providers.Where(p => p is not ChainedConfigurationProvider).OfType<IDisposable>())
            {
                provider.Dispose();
            }
        }

        configure?.Invoke(options);
        return options;
    }
}

/// <summary>Finds the position of releases among a host's configuration sources.</summary>
internal static class SourcePosition
{
    private const string CommandLine = "Microsoft.Extensions.Configuration.CommandLine.CommandLineConfigurationSource";

    /// <summary>The index to insert at.</summary>
    public static int Find(IList<IConfigurationSource> sources, RipplePrecedence precedence)
    {
        if (precedence == RipplePrecedence.Highest)
        {
            return sources.Count;
        }

        // Before the files, hosts read prefixed variables (DOTNET_, ASPNETCORE_) and the command line for their own settings; those remain
        // below the releases.
        for (int i = 0; i < sources.Count; i++)
        {
            if (sources[i] is EnvironmentVariablesConfigurationSource { Prefix: null or "" })
            {
                return i;
            }
        }

        int end = sources.Count;
        while (end > 0 && sources[end - 1].GetType().FullName == CommandLine)
        {
            end--;
        }

        return end;
    }
}
