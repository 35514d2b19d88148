using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Ripple.Client;
using Ripple.Extensions.Hosting;

namespace Microsoft.Extensions.Hosting;

/// <summary>Adds Ripple to a host.</summary>
public static class RippleHostExtensions
{
    /// <summary>
    /// Live configuration from the releases of a cluster, validated before it is seen; <see cref="IRippleClient"/> as a service; the health
    /// check of the same name with the tag <c>ready</c>. The first load happens here, and is the one wait there is.
    /// </summary>
    /// <param name="builder">Any host's builder.</param>
    /// <param name="name">Names the connection string <c>ConnectionStrings:&lt;name&gt;</c> and the options' section
    /// <c>Ripple:&lt;name&gt;</c>.</param>
    /// <param name="configure">Options by code, after the section's; null for none. May be called more than once.</param>
    /// <exception cref="InvalidOperationException">There is no connection string, an option is not valid, or this name was added already
    /// with other options.</exception>
    /// <exception cref="RippleException">The start failed, and it is not optional.</exception>
    public static IHostApplicationBuilder AddRipple(
        this IHostApplicationBuilder builder, string name = "ripple", Action<RippleOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Configuration.AddRipple(name, configure);
        builder.Services.AddRipple(name);
        return builder;
    }

    /// <summary>
    /// As <see cref="AddRipple(IHostApplicationBuilder, string, Action{RippleOptions}?)"/>, for one of several clusters:
    /// <see cref="IRippleClient"/> is keyed by the name.
    /// </summary>
    /// <param name="builder">Any host's builder.</param>
    /// <param name="name">The cluster's name.</param>
    /// <param name="configure">Options by code; null for none. Give each cluster a <see cref="RippleOptions.Prefix"/>, else the last one
    /// added wins.</param>
    /// <exception cref="InvalidOperationException">As there.</exception>
    /// <exception cref="RippleException">As there.</exception>
    public static IHostApplicationBuilder AddKeyedRipple(
        this IHostApplicationBuilder builder, string name, Action<RippleOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Configuration.AddRipple(name, configure);
        builder.Services.AddKeyedRipple(name);
        return builder;
    }

    /// <summary>
    /// As <see cref="AddRipple(IHostApplicationBuilder, string, Action{RippleOptions}?)"/>, for hosts that are built by callbacks; the
    /// first load happens when the host is built.
    /// </summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="name">Names the connection string and the options' section.</param>
    /// <param name="configure">Options by code; null for none. May be called more than once.</param>
    public static IHostBuilder AddRipple(this IHostBuilder builder, string name = "ripple", Action<RippleOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder
            .ConfigureAppConfiguration((_, configuration) => configuration.AddRipple(name, configure))
            .ConfigureServices((_, services) => services.AddRipple(name));
    }
}
