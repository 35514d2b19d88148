using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Ripple.Extensions.Hosting.Validation;

/// <inheritdoc cref="IOptionsFactoryProbe"/>
internal sealed class OptionsFactoryProbe<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(
    IServiceProvider services) : IOptionsFactoryProbe
    where T : class
{
    // Resolved once: the container keeps each disposable instance it creates until it is disposed itself.
    private IOptionsFactory<T>? _factory;

    public IReadOnlyList<OptionsKey> Keys { get; } =
    [
        .. services.GetServices<IOptionsChangeTokenSource<T>>().Select(
            s => s.Name ?? Options.DefaultName).Distinct(StringComparer.Ordinal).Select(n => new OptionsKey(typeof(T), n)),
    ];

    public void Create(string name) => (_factory ??= services.GetRequiredService<IOptionsFactory<T>>()).Create(name);
}
