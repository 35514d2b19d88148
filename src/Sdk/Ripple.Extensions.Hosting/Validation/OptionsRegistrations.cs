using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>The services of a container, kept to find the bound options types, and the names of its Ripple connections.</summary>
internal sealed class OptionsRegistrations(IServiceCollection services)
{
    /// <summary>The names of the connections registered with this container.</summary>
    public HashSet<string> Connections { get; } = new(StringComparer.Ordinal);

    /// <summary>The type of service by which options are added to the validation on start; null where .NET has none such.</summary>
    public Type? ValidatedOnStart { get; set; }

    /// <summary>Whether any options are validated on start, besides those that <see cref="JudgedStart"/> adds.</summary>
    public bool AreValidatedOnStart => ValidatedOnStart is null || services.Count(d => d.ServiceType == ValidatedOnStart) > 1;

    /// <summary>A probe for each options type bound to a configuration.</summary>
    public IOptionsFactoryProbe[] MakeProbes(IServiceProvider provider) =>
    [
        .. services
            .Select(d => d.ServiceType)
            .Where(t => t.IsConstructedGenericType && t.GetGenericTypeDefinition() == typeof(IOptionsChangeTokenSource<>))
            .Select(t => t.GenericTypeArguments[0])
            .Distinct()
            .OrderBy(t => t.FullName, StringComparer.Ordinal)
            .Select(t => Make(t, provider)),
    ];

    [UnconditionalSuppressMessage(
        "AOT", "IL3050", Justification = "Options are classes: they share the code of the instance rooted below.")]
    [UnconditionalSuppressMessage(
        "Trimming",
        "IL2055",
        Justification = "Whoever bound the type kept its constructor, by the annotation of Configure and AddOptions.")]
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "As above.")]
    [UnconditionalSuppressMessage("Trimming", "IL2071", Justification = "As above.")]
    private static IOptionsFactoryProbe Make(Type options, IServiceProvider provider) =>
        options == typeof(object)
            ? new OptionsFactoryProbe<object>(provider)
            : (IOptionsFactoryProbe)Activator.CreateInstance(typeof(OptionsFactoryProbe<>).MakeGenericType(options), provider)!;
}

/// <summary>Creates the options of one bound type, as for any consumer that requests them.</summary>
internal interface IOptionsFactoryProbe
{
    /// <summary>The type with each name it is bound under.</summary>
    IReadOnlyList<OptionsKey> Keys { get; }

    /// <summary>Binds, configures and validates the options; exceptions propagate.</summary>
    void Create(string name);
}

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
