namespace Ripple.Extensions.Hosting.Validation;

/// <summary>Makes the options of one bound type, as anybody who asks for them would.</summary>
internal interface IOptionsFactoryProbe
{
    /// <summary>The bound types and names.</summary>
    IReadOnlyList<OptionsKey> Keys { get; }

    /// <summary>Binds, configures and validates; throws what that throws.</summary>
    void Create(string name);
}
