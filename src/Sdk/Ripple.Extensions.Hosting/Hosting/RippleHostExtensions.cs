using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Ripple.Client;
using Ripple.Extensions.Hosting;

namespace Microsoft.Extensions.Hosting;

/// <summary>Adds Ripple to a host.</summary>
public static class RippleHostExtensions
{
    /// <summary>
    /// Adds live configuration from the releases of a cluster, validated before it becomes visible; <see cref="IRippleClient"/> as a
    /// service; and a health check of the same name with the tag <c>ready</c>. The first load happens in this call: it shows what this
    /// process accepted before, or, if it never did, the newest release. What is newer is validated when the host starts, before its
    /// services do.
    /// </summary>
    /// <param name="builder">Any host's builder.</param>
    /// <param name="name">The name of the connection string <c>ConnectionStrings:&lt;name&gt;</c> and of the options' section
    /// <c>Ripple:&lt;name&gt;</c>.</param>
    /// <param name="configure">Sets options in code, after those of the section; null for none. May be called more than once.</param>
    /// <exception cref="InvalidOperationException">There is no connection string, an option is not valid, or this name was already added
    /// with other options.</exception>
    /// <exception cref="RippleException">The start failed and is not optional.</exception>
    public static IHostApplicationBuilder AddRipple(
        this IHostApplicationBuilder builder, string name = "ripple", Action<RippleOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Configuration.AddJudged(name, configure);
        builder.Services.AddRipple(name);
        return builder;
    }

    /// <summary>
    /// Like <see cref="AddRipple(IHostApplicationBuilder, string, Action{RippleOptions}?)"/>, for one of several clusters:
    /// <see cref="IRippleClient"/> is keyed by the name.
    /// </summary>
    /// <param name="builder">Any host's builder.</param>
    /// <param name="name">The cluster's name.</param>
    /// <param name="configure">Sets options in code; null for none. Give each cluster a <see cref="RippleOptions.Prefix"/>; otherwise the
    /// last one added wins.</param>
    /// <exception cref="InvalidOperationException">As in the unkeyed overload.</exception>
    /// <exception cref="RippleException">As in the unkeyed overload.</exception>
    public static IHostApplicationBuilder AddKeyedRipple(
        this IHostApplicationBuilder builder, string name, Action<RippleOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Configuration.AddJudged(name, configure);
        builder.Services.AddKeyedRipple(name);
        return builder;
    }

    /// <summary>
    /// Like <see cref="AddRipple(IHostApplicationBuilder, string, Action{RippleOptions}?)"/>, for hosts configured through callbacks. The
    /// first load happens when the host is built.
    /// </summary>
    /// <param name="builder">The host's builder.</param>
    /// <param name="name">The name of the connection string and of the options' section.</param>
    /// <param name="configure">Sets options in code; null for none. May be called more than once.</param>
    public static IHostBuilder AddRipple(this IHostBuilder builder, string name = "ripple", Action<RippleOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder
            .ConfigureAppConfiguration((_, configuration) => configuration.AddJudged(name, configure))
            .ConfigureServices((_, services) => services.AddRipple(name));
    }
}
