using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text.Json;
using Ripple.Engine.Protocol;

namespace Ripple.Client.Spaces;

/// <summary>How a record is a point of a space: a dimension for each parameter of its longest constructor. Immutable.</summary>
/// <typeparam name="T">The record.</typeparam>
internal sealed class PointShape<[DynamicallyAccessedMembers(
    DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.PublicProperties)] T>
    where T : notnull
{
    private static PointShape<T>? _known;

    private readonly ConstructorInfo _constructor;
    private readonly Part[] _parts;

    private PointShape()
    {
        ConstructorInfo? constructor = typeof(T).GetConstructors().MaxBy(c => c.GetParameters().Length);
        if (constructor is null || constructor.GetParameters().Length == 0)
        {
            throw Wrong(
                $"{Name} has no constructor with a parameter a dimension. "
                    + $"Make it a record, as in record {Name}(double Price, long Volume).");
        }

        _constructor = constructor;
        _parts = [.. constructor.GetParameters().Select(Read)];
        if (_parts.GroupBy(p => p.Dimension, StringComparer.OrdinalIgnoreCase).FirstOrDefault(g => g.Count() > 1) is { } twice)
        {
            throw Wrong(
                $"{Name} has more than one property for '{twice.Key}': {string.Join(", ", twice.Select(p => p.Property.Name))}.");
        }
    }

    private static string Name => typeof(T).Name;

    /// <summary>The shape of the record; read once.</summary>
    /// <exception cref="RippleException">It is no point.</exception>
    public static PointShape<T> Get() => _known ??= new PointShape<T>();

    /// <summary>Which properties are which dimensions, for people.</summary>
    public string Describe() =>
        $"The event is a {Name}, which has {string.Join(", ", _parts.Select(p => $"'{p.Dimension}' ({p.Property.Name})"))}.";

    /// <summary>The values of a record.</summary>
    public RipplePoint ToPoint(T record)
    {
        var point = new RipplePoint();
        foreach (Part part in _parts)
        {
            point[part.Dimension] = PointValue.Of(part.Property.GetValue(record)!);
        }

        return point;
    }

    /// <summary>The record with these values.</summary>
    /// <exception cref="RippleException">It is not the record's dimensions that have values, or a property cannot have one.</exception>
    public T FromPoint(string application, RipplePoint point)
    {
        object[] arguments = new object[_parts.Length];
        for (int i = 0; i < arguments.Length; i++)
        {
            Part part = _parts[i];
            if (Find(point, part.Dimension) is not { } value)
            {
                throw Wrong(
                    $"{Name}.{part.Property.Name} has no dimension: the events of '{application}' have "
                        + $"{string.Join(", ", point.Select(v => $"'{v.Key}'"))}, and none is '{part.Dimension}'.");
            }

            arguments[i] = PointValue.To(part.Property.PropertyType, value) ?? throw Wrong(
                $"'{part.Dimension}' of '{application}' is {value}, {PointValue.KindOf(value)}, and {Name}.{part.Property.Name} is of type "
                    + $"{part.Property.PropertyType.Name}. Use {PointValue.TypeFor(value)}.");
        }

        if (point.Count > _parts.Length)
        {
            string left = point.First(v => !_parts.Any(p => IsSame(p.Dimension, v.Key))).Key;
            throw Wrong($"The dimension '{left}' of '{application}' has no property in {Name}. Add one, or subscribe without a record.");
        }

        return (T)_constructor.Invoke(arguments);
    }

    private static Part Read(ParameterInfo parameter)
    {
        PropertyInfo property = typeof(T).GetProperties().FirstOrDefault(
            p => IsSame(p.Name, parameter.Name!) && p.PropertyType == parameter.ParameterType && p.CanRead)
            ?? throw Wrong($"{Name} has no property for the parameter '{parameter.Name}' of its constructor.");
        if (!PointValue.IsType(property.PropertyType))
        {
            throw Wrong(
                $"{Name}.{property.Name} is of type {property.PropertyType.Name}, which no dimension has. "
                    + "Use double, long or DateTimeOffset.");
        }

        string dimension = parameter.GetCustomAttribute<RippleDimensionAttribute>()?.Name
            ?? JsonNamingPolicy.CamelCase.ConvertName(parameter.Name!);
        return new Part(dimension, property);
    }

    private static RippleValue? Find(RipplePoint point, string dimension)
    {
        if (point.TryGet(dimension, out RippleValue value))
        {
            return value;
        }

        foreach ((string name, RippleValue other) in point)
        {
            if (IsSame(name, dimension))
            {
                return other;
            }
        }

        return null;
    }

    private static bool IsSame(string name, string other) => name.Equals(other, StringComparison.OrdinalIgnoreCase);

    private static RippleException Wrong(string text) => new(ErrorCode.InvalidRequest, text);

    private sealed record Part(string Dimension, PropertyInfo Property);
}
