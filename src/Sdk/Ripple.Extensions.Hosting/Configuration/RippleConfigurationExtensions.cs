using Ripple.Client;
using Ripple.Extensions.Hosting;
using Ripple.Extensions.Hosting.Configuration;

namespace Microsoft.Extensions.Configuration;

/// <summary>Adds the releases of a cluster to a configuration.</summary>
public static class RippleConfigurationExtensions
{
    /// <summary>
    /// Adds a cluster's releases at the position given by <see cref="RippleOptions.Precedence"/>. Adding the same name again without
    /// options has no effect. Only a release's format is validated, until a container that adds the same name makes its options: where
    /// there is a host, use the <c>AddRipple</c> of its builder, which lets nothing take effect before its validators exist.
    /// </summary>
    /// <param name="builder">The configuration. The connection string and the options are read from its other sources.</param>
    /// <param name="name">The name of the connection string <c>ConnectionStrings:&lt;name&gt;</c> and of the options' section
    /// <c>Ripple:&lt;name&gt;</c>.</param>
    /// <param name="configure">Sets options in code, after those of the section; null for none. May be called more than once.</param>
    /// <exception cref="InvalidOperationException">There is no connection string, an option is not valid, or this name was already added
    /// with other options.</exception>
    /// <exception cref="RippleException">The start failed and is not optional. Thrown when the configuration is built; with a
    /// <c>ConfigurationManager</c>, that is during this call.</exception>
    public static IConfigurationBuilder AddRipple(
        this IConfigurationBuilder builder, string name = "ripple", Action<RippleOptions>? configure = null) =>
        Add(builder, name, configure, isJudged: false);

    /// <summary>Like <see cref="AddRipple"/>, where a container with validators follows.</summary>
    internal static IConfigurationBuilder AddJudged(
        this IConfigurationBuilder builder, string name, Action<RippleOptions>? configure) =>
        Add(builder, name, configure, isJudged: true);

    private static IConfigurationBuilder Add(
        IConfigurationBuilder builder, string name, Action<RippleOptions>? configure, bool isJudged)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        if (builder.Sources.OfType<RippleConfigurationSource>().Any(s => s.Name == name))
        {
            return configure is null
                ? builder
                : throw new InvalidOperationException(
                    $"Ripple '{name}' was added to this configuration already. Give its options there, or give this one another name.");
        }

        var source = new RippleConfigurationSource(name, configure, isJudged);
        if (builder is ConfigurationManager configuration)
        {
            source.AddTo(configuration);
        }
        else
        {
            builder.Sources.Insert(SourcePosition.Find(builder.Sources, source.ReadOptions(builder).Precedence), source);
        }

        return builder;
    }
}
