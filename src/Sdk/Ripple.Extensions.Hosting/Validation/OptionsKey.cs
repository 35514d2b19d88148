namespace Ripple.Extensions.Hosting.Validation;

/// <summary>An options type and its name; the default name is empty.</summary>
internal readonly record struct OptionsKey(Type Type, string Name)
{
    public override string ToString() => Name.Length == 0 ? Type.Name : $"{Type.Name} '{Name}'";
}
