using Ripple.Client;
using Ripple.Extensions.Hosting;
using Ripple.Extensions.Hosting.Configuration;

namespace Microsoft.Extensions.Configuration;

/// <summary>Adds the releases of a cluster to a configuration.</summary>
public static class RippleConfigurationExtensions
{
    /// <summary>
    /// Adds them where <see cref="RippleOptions.Precedence"/> says. Adding a name again, without options, changes nothing. Without a
    /// container only a release's form is validated, not what is bound to it.
    /// </summary>
    /// <param name="builder">The configuration. The connection string and the options are read from its other sources.</param>
    /// <param name="name">Names the connection string <c>ConnectionStrings:&lt;name&gt;</c> and the options' section
    /// <c>Ripple:&lt;name&gt;</c>.</param>
    /// <param name="configure">Options by code, after the section's; null for none. May be called more than once.</param>
    /// <exception cref="InvalidOperationException">There is no connection string, an option is not valid, or this name was added already
    /// with other options.</exception>
    /// <exception cref="RippleException">The start failed, and it is not optional. Thrown when the configuration is built; by a
    /// <c>ConfigurationManager</c> here.</exception>
    public static IConfigurationBuilder AddRipple(
        this IConfigurationBuilder builder, string name = "ripple", Action<RippleOptions>? configure = null)
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

        var source = new RippleConfigurationSource(name, configure);
        int index = SourcePosition.Find(builder.Sources, source.ReadOptions(builder).Precedence);
        try
        {
            builder.Sources.Insert(index, source);
        }
        catch
        {
            // It may be added again with other options.
            builder.Sources.Remove(source);
            throw;
        }

        return builder;
    }
}
