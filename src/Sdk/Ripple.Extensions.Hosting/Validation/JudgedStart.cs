using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Ripple.Extensions.Hosting.Connections;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>
/// Has the connections decide before options are validated on start. .NET validates those before any service starts, and so before a hosted
/// service could decide: what the newest release has wrong, or the one that a process kept, would end each start, whatever earlier or later
/// release there is.
/// </summary>
/// <param name="services">The container.</param>
/// <param name="registrations">Its connections.</param>
/// <param name="inner">Validates the options, as without Ripple.</param>
internal sealed class JudgedStart(IServiceProvider services, OptionsRegistrations registrations, Func<IStartupValidator> inner)
    : IStartupValidator
{
    /// <summary>Decides, if any options are validated on start, and validates them.</summary>
    /// <exception cref="Client.RippleException">A connection has no release to start from, and may not start without one.</exception>
    /// <exception cref="OptionsValidationException">What is in effect now is not valid either.</exception>
    /// <exception cref="OperationCanceledException">The host is stopping.</exception>
    public void Validate()
    {
        if (registrations.AreValidatedOnStart)
        {
            // The interface waits. What is waited for runs on other threads, and each part of it has a limit.
            CancellationToken stopping = services.GetService<IHostApplicationLifetime>()?.ApplicationStopping ?? CancellationToken.None;
            Task.Run(() => DecideAsync(stopping), CancellationToken.None).GetAwaiter().GetResult();
        }

        inner().Validate();
    }

    /// <summary>
    /// Puts it before .NET's validation on start, whether options are added to that before or after; a custom one that was added later is
    /// the one that a host asks.
    /// </summary>
    public static void Add(IServiceCollection services, OptionsRegistrations registrations)
    {
        int before = services.Count;
        new OptionsBuilder<None>(services, Options.DefaultName).ValidateOnStart();
        registrations.ValidatedOnStart = services.Skip(before).Select(d => d.ServiceType).FirstOrDefault(
            t => t.IsConstructedGenericType && t.GetGenericTypeDefinition() == typeof(IConfigureOptions<>));
        ServiceDescriptor there = services.Last(d => d.ServiceType == typeof(IStartupValidator) && !d.IsKeyedService);
        services.AddTransient<IStartupValidator>(
            provider => new JudgedStart(provider, registrations, () => Make(provider, there)));
    }

    private async Task DecideAsync(CancellationToken cancellationToken)
    {
        OptionsValidator validator = services.GetRequiredService<OptionsValidator>();
        foreach (string name in registrations.Connections)
        {
            await services.GetRequiredKeyedService<ConnectionHolder>(name).StartAsync(validator, cancellationToken).ConfigureAwait(false);
        }
    }

    private static IStartupValidator Make(IServiceProvider provider, ServiceDescriptor there) =>
        there.ImplementationInstance as IStartupValidator
        ?? there.ImplementationFactory?.Invoke(provider) as IStartupValidator
        ?? (IStartupValidator)ActivatorUtilities.CreateInstance(provider, there.ImplementationType!);

    /// <summary>Options of which there is nothing to validate: with them .NET's own validator is registered.</summary>
    private sealed class None;
}
