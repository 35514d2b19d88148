using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Ripple.Client;
using Ripple.Extensions.Hosting;
using Ripple.Extensions.Hosting.Connections;
using Ripple.Extensions.Hosting.Health;
using Ripple.Extensions.Hosting.Validation;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds a client of a cluster to a container.</summary>
public static class RippleServiceCollectionExtensions
{
    private const string ReadyTag = "ready";

    /// <summary>
    /// Adds <see cref="IRippleClient"/>, a health check of this name, and the validation of bound options before a release becomes visible.
    /// If the container's configuration contains the releases of the same name, both use the same node.
    /// </summary>
    /// <param name="services">The services.</param>
    /// <param name="name">The name of the connection string <c>ConnectionStrings:&lt;name&gt;</c> and of the options' section
    /// <c>Ripple:&lt;name&gt;</c>.</param>
    /// <param name="configure">Sets options in code, used only if the configuration does not contain the releases of this name; null for
    /// none.</param>
    public static IServiceCollection AddRipple(
        this IServiceCollection services, string name = "ripple", Action<RippleOptions>? configure = null)
    {
        AddConnection(services, name, configure);
        services.TryAddSingleton<IRippleClient>(provider => MakeClient(provider, name));
        return services;
    }

    /// <summary>Like <see cref="AddRipple"/>, for one of several clusters: <see cref="IRippleClient"/> is keyed by the name.</summary>
    /// <param name="services">The services.</param>
    /// <param name="name">The cluster's name, and the key.</param>
    /// <param name="configure">As for <see cref="AddRipple"/>.</param>
    public static IServiceCollection AddKeyedRipple(this IServiceCollection services, string name, Action<RippleOptions>? configure = null)
    {
        AddConnection(services, name, configure);
        services.TryAddKeyedSingleton<IRippleClient>(name, (provider, _) => MakeClient(provider, name));
        return services;
    }

    private static HostedRippleClient MakeClient(IServiceProvider provider, string name)
    {
        OptionsValidator validator = provider.GetRequiredService<OptionsValidator>();
        validator.EnsureAttached();
        RippleConnection connection = provider.GetRequiredKeyedService<ConnectionHolder>(name).Connection;
        if (validator.FindLoggers() is { } loggers)
        {
            connection.Loggers.Use(loggers);
        }

        return new HostedRippleClient(connection);
    }

    private static void AddConnection(IServiceCollection services, string name, Action<RippleOptions>? configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        if (!Registrations(services).Connections.Add(name))
        {
            return;
        }

        services.AddKeyedSingleton(name, (provider, _) => new ConnectionHolder(name, provider.GetService<IConfiguration>(), configure));
        services.AddSingleton<IHostedService>(
            provider => new RippleHostedService(
                provider.GetRequiredKeyedService<ConnectionHolder>(name), provider.GetRequiredService<OptionsValidator>()));
        services.AddHealthChecks().Add(new HealthCheckRegistration(
            name,
            provider => new RippleHealthCheck(
                provider.GetRequiredKeyedService<ConnectionHolder>(name), provider.GetService<TimeProvider>() ?? TimeProvider.System),
            failureStatus: null,
            tags: [ReadyTag]));
    }

    /// <summary>The container's registrations, created with the first connection.</summary>
    private static OptionsRegistrations Registrations(IServiceCollection services)
    {
        if (services.FirstOrDefault(
            d => d.ServiceType == typeof(OptionsRegistrations))?.ImplementationInstance is OptionsRegistrations known)
        {
            return known;
        }

        var registrations = new OptionsRegistrations(services);
        services.AddOptions();
        services.AddSingleton(registrations);
        services.AddSingleton<OptionsValidator>();
        Put(services, ServiceDescriptor.Singleton(typeof(IOptionsMonitor<>), typeof(RippleOptionsMonitor<>)));
        Put(services, ServiceDescriptor.Singleton(typeof(IOptions<>), typeof(UnnamedOptions<>)));
        Put(services, ServiceDescriptor.Transient(typeof(IOptionsFactory<>), typeof(RippleOptionsFactory<>)));
        JudgedStart.Add(services, registrations);
        return registrations;
    }

    /// <summary>Replaces .NET's default registration; a custom one stays.</summary>
    private static void Put(IServiceCollection services, ServiceDescriptor own)
    {
        ServiceDescriptor? there = services.LastOrDefault(d => d.ServiceType == own.ServiceType && !d.IsKeyedService);
        if (there?.ImplementationType?.Assembly == typeof(OptionsFactory<>).Assembly)
        {
            services.Remove(there);
            services.Add(own);
        }
    }
}
