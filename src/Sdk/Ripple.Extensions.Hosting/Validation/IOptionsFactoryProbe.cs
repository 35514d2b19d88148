namespace Ripple.Extensions.Hosting.Validation;

/// <summary>Creates the options of one bound type, as for any consumer that requests them.</summary>
internal interface IOptionsFactoryProbe
{
    /// <summary>The type with each name it is bound under.</summary>
    IReadOnlyList<OptionsKey> Keys { get; }

    /// <summary>Binds, configures and validates the options; exceptions propagate.</summary>
    void Create(string name);
}
