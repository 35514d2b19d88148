using System.Reflection;

namespace Ripple.Architecture.Tests;

/// <summary>Types as C# writes them, with what may be null.</summary>
internal static class TypeText
{
    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(object)] = "object",
        [typeof(string)] = "string",
        [typeof(bool)] = "bool",
        [typeof(char)] = "char",
        [typeof(byte)] = "byte",
        [typeof(sbyte)] = "sbyte",
        [typeof(short)] = "short",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(float)] = "float",
        [typeof(double)] = "double",
        [typeof(decimal)] = "decimal",
    };

    private static readonly NullabilityInfoContext Nullability = new();

    public static string Of(ParameterInfo parameter) => Text(Nullability.Create(parameter), parameter.ParameterType);

    public static string Of(PropertyInfo property) => Text(Nullability.Create(property), property.PropertyType);

    public static string Of(FieldInfo field) => Text(Nullability.Create(field), field.FieldType);

    public static string Of(EventInfo @event) => Text(Nullability.Create(@event), @event.EventHandlerType!);

    /// <summary>The name in signatures: without namespace, with arguments.</summary>
    public static string Name(Type type) => Text(null, type);

    /// <summary>The name of the type itself: with namespace and the types around it.</summary>
    public static string FullName(Type type) =>
        type.DeclaringType is { } outer ? $"{FullName(outer)}.{Own(type)}{OwnParameters(type)}" : $"{type.Namespace}.{Own(type)}"
            + $"{OwnParameters(type)}";

    public static string Own(Type type) => type.Name.Split('`')[0];

    public static string GenericParameters(MethodInfo method) =>
        method.IsGenericMethodDefinition ? $"<{string.Join(", ", method.GetGenericArguments().Select(a => a.Name))}>" : string.Empty;

    private static string OwnParameters(Type type)
    {
        int outer = type.DeclaringType?.GetGenericArguments().Length ?? 0;
        string[] own = [.. type.GetGenericArguments().Skip(outer).Select(a => a.Name)];
        return own.Length == 0 ? string.Empty : $"<{string.Join(", ", own)}>";
    }

    private static string Text(NullabilityInfo? info, Type type)
    {
        if (type.IsByRef)
        {
            return Text(info, type.GetElementType()!);
        }

        if (Nullable.GetUnderlyingType(type) is { } value)
        {
            return Text(null, value) + "?";
        }

        string mark = info is not null && !type.IsValueType && (info.ReadState == NullabilityState.Nullable
            || info.WriteState == NullabilityState.Nullable) ? "?" : string.Empty;
        if (type.IsArray)
        {
            return $"{Text(info?.ElementType, type.GetElementType()!)}[{new string(',', type.GetArrayRank() - 1)}]{mark}";
        }

        if (type.IsPointer)
        {
            return Text(null, type.GetElementType()!) + "*";
        }

        if (Keywords.TryGetValue(type, out string? keyword))
        {
            return keyword + mark;
        }

        if (!type.IsGenericType)
        {
            return (type.DeclaringType is { } outer && !type.IsGenericParameter ? $"{Name(outer)}." : string.Empty) + type.Name + mark;
        }

        Type[] arguments = type.GetGenericArguments();
        bool hasInfo = info is not null && info.GenericTypeArguments.Length == arguments.Length;
        return $"{Own(type)}<{string.Join(", ", arguments.Select((a, i) => Text(hasInfo ? info!.GenericTypeArguments[i] : null, a)))}>"
            + $"{mark}";
    }
}
