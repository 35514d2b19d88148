namespace Ripple.Client;

/// <summary>
/// Names the dimension of a parameter of a record that stands for points of a space, where it is not the parameter's name in camel case:
/// <c>record Trade([RippleDimension("max-price")] double MaxPrice)</c>.
/// </summary>
/// <param name="name">The name of the dimension.</param>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class RippleDimensionAttribute(string name) : Attribute
{
    /// <summary>The name of the dimension.</summary>
    public string Name { get; } = name;
}
