using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Ripple.Architecture.Tests;

/// <summary>What an assembly offers to others, one line a type and a member, in an order that does not depend on the source.</summary>
internal static class PublicSurface
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public static IReadOnlyList<string> Of(Assembly assembly) =>
        [.. assembly.GetExportedTypes().SelectMany(LinesOf).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)];

    private static IEnumerable<string> LinesOf(Type type)
    {
        string name = TypeText.FullName(type);
        yield return $"{name}: {Describe(type)}";
        if (type.IsEnum)
        {
            foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Static))
            {
                yield return string.Create(CultureInfo.InvariantCulture, $"{name}.{field.Name} = {field.GetRawConstantValue()}");
            }

            yield break;
        }

        if (type.IsSubclassOf(typeof(Delegate)))
        {
            yield break;
        }

        foreach (MemberInfo member in type.GetMembers(Declared))
        {
            if (LineOf(member) is { } line)
            {
                yield return $"{name}.{line}";
            }
        }
    }

    private static string Describe(Type type)
    {
        if (type.IsEnum)
        {
            string flags = type.IsDefined(typeof(FlagsAttribute), false) ? "flags " : string.Empty;
            return $"{flags}enum of {TypeText.Name(Enum.GetUnderlyingType(type))}";
        }

        if (type.IsSubclassOf(typeof(Delegate)))
        {
            return $"delegate {Signature(type.GetMethod("Invoke")!)}";
        }

        bool isRecord = type.GetMethod("PrintMembers", Declared) is not null;
        string kind = type.IsInterface ? "interface" : type.IsValueType ? "struct" : "class";
        string modifiers = type.IsInterface || type.IsValueType ? string.Empty
            : type.IsAbstract && type.IsSealed ? "static "
            : type.IsAbstract ? "abstract "
            : type.IsSealed ? "sealed " : string.Empty;
        if (type.IsValueType)
        {
            modifiers = (type.IsDefined(typeof(IsReadOnlyAttribute), false) ? "readonly " : string.Empty)
                + (type.IsByRefLike ? "ref " : string.Empty);
        }

        IEnumerable<Type> interfaces = type.GetInterfaces().Except(type.BaseType?.GetInterfaces() ?? []);
        string[] bases =
        [
            .. type.BaseType is { } b && b != typeof(object) && b != typeof(ValueType) ? new[] { TypeText.Name(b) } : [],
            .. interfaces.Where(i => i.IsVisible && !IsImplied(i, isRecord)).Select(TypeText.Name).Order(StringComparer.Ordinal),
        ];
        return $"{modifiers}{(isRecord ? "record " : string.Empty)}{kind}"
            + $"{(bases.Length > 0 ? $" : {string.Join(", ", bases)}" : string.Empty)}";
    }

    private static bool IsImplied(Type type, bool isRecord) =>
        isRecord && type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IEquatable<>);

    private static string? LineOf(MemberInfo member) => member switch
    {
        ConstructorInfo c when IsOpen(c) && !c.IsStatic => $"{TypeText.Own(c.DeclaringType!)}({Parameters(c)})",
        MethodInfo m when IsOpen(m) && (!m.IsSpecialName
            || m.Name.StartsWith("op_", StringComparison.Ordinal)) && !m.IsDefined(typeof(CompilerGeneratedAttribute), false) =>
            $"{m.Name}{TypeText.GenericParameters(m)}{Signature(m)}{Modifiers(m)}",
        PropertyInfo p when Accessors(p) is { Length: > 0 } accessors =>
            $"{PropertyName(p)}: {TypeText.Of(p)} {{ {accessors} }}{Modifiers(p.GetAccessors(true)[0])}",
        FieldInfo f when IsOpen(f) && !f.IsSpecialName => f.IsLiteral
            ? string.Create(CultureInfo.InvariantCulture, $"{f.Name}: {TypeText.Of(f)} = {f.GetRawConstantValue()} [const]")
            : $"{f.Name}: {TypeText.Of(f)} [{(f.IsStatic ? "static " : string.Empty)}{(f.IsInitOnly ? "readonly " : string.Empty)}field]",
        EventInfo e when e.AddMethod is { } add && IsOpen(add) => $"{e.Name}: {TypeText.Of(e)} [event]",
        _ => null,
    };

    private static string PropertyName(PropertyInfo property) =>
        property.GetIndexParameters() is { Length: > 0 } index
            ? $"{property.Name}[{string.Join(", ", index.Select(TypeText.Of))}]"
            : property.Name;

    private static string Accessors(PropertyInfo property)
    {
        if (property.Name == "EqualityContract")
        {
            return string.Empty;
        }

        string get = property.GetMethod is { } g && IsOpen(g) ? "get; " : string.Empty;
        string set = property.SetMethod is { } s && IsOpen(s)
            ? s.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) ? "init; " : "set; "
            : string.Empty;
        string required = property.IsDefined(typeof(RequiredMemberAttribute), false) ? "required; " : string.Empty;
        return get.Length + set.Length == 0 ? string.Empty : (get + set + required).TrimEnd();
    }

    private static string Signature(MethodInfo method) => $"({Parameters(method)}) -> {TypeText.Of(method.ReturnParameter)}";

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Parameter));

    private static string Parameter(ParameterInfo parameter)
    {
        string direction = parameter.IsOut ? "out "
            : parameter.ParameterType.IsByRef ? parameter.IsIn ? "in " : "ref "
            : parameter.IsDefined(typeof(ParamArrayAttribute), false) ? "params " : string.Empty;
        string extends = parameter.Position == 0 && parameter.Member.IsDefined(typeof(ExtensionAttribute), false) ? "this " : string.Empty;
        string optional = parameter.HasDefaultValue
            ? string.Create(CultureInfo.InvariantCulture, $" = {parameter.RawDefaultValue ?? "default"}")
            : string.Empty;
        return $"{extends}{direction}{TypeText.Of(parameter)} {parameter.Name}{optional}";
    }

    private static string Modifiers(MethodInfo method)
    {
        var modifiers = new List<string>();
        if (method.IsFamily || method.IsFamilyOrAssembly)
        {
            modifiers.Add("protected");
        }

        if (method.IsStatic)
        {
            modifiers.Add("static");
        }

        if (method.IsAbstract && (method.IsStatic || !method.DeclaringType!.IsInterface))
        {
            modifiers.Add("abstract");
        }
        else if (method.GetBaseDefinition().DeclaringType != method.DeclaringType)
        {
            modifiers.Add("override");
        }
        else if (method is { IsVirtual: true, IsFinal: false, DeclaringType.IsInterface: false })
        {
            modifiers.Add("virtual");
        }

        return modifiers.Count == 0 ? string.Empty : $" [{string.Join(' ', modifiers)}]";
    }

    private static bool IsOpen(MethodBase method) =>
        method.IsPublic || ((method.IsFamily || method.IsFamilyOrAssembly) && !method.DeclaringType!.IsSealed);

    private static bool IsOpen(FieldInfo field) =>
        field.IsPublic || ((field.IsFamily || field.IsFamilyOrAssembly) && !field.DeclaringType!.IsSealed);
}
