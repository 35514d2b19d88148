using System.Globalization;
using System.Reflection;

namespace Ripple.Benchmarks.Check;

/// <summary>One benchmark method with one choice of its class's parameters.</summary>
/// <param name="Name">Class, method and parameters: its key in the table.</param>
/// <param name="Type">The class.</param>
/// <param name="Method">The method.</param>
/// <param name="Parameters">What its properties are set to.</param>
internal sealed record BenchmarkCase(
    string Name, Type Type, MethodInfo Method, IReadOnlyList<KeyValuePair<PropertyInfo, object?>> Parameters)
{
    /// <summary>True when a core thread runs it: see <see cref="Categories.Core"/>.</summary>
    public bool IsCore =>
        Method.GetCustomAttributes<BenchmarkCategoryAttribute>().Concat(Type.GetCustomAttributes<BenchmarkCategoryAttribute>()).Any(
            a => a.Categories.Contains(Categories.Core));

    /// <summary>How many operations one call is.</summary>
    public int OperationsPerCall => Method.GetCustomAttribute<BenchmarkAttribute>()!.OperationsPerInvoke;

    /// <summary>Every case of an assembly, by name.</summary>
    public static IReadOnlyList<BenchmarkCase> FindAll(Assembly assembly) =>
        [.. from type in assembly.GetExportedTypes()
            where !type.IsAbstract
            from method in type.GetMethods()
            where method.IsDefined(typeof(BenchmarkAttribute))
            from parameters in ChoicesOf(type)
            let name = NameOf(type, method, parameters)
            orderby name, StringComparer.Ordinal
            select new BenchmarkCase(name, type, method, parameters)];

    /// <summary>Makes the object and sets it up.</summary>
    public object MakeInstance()
    {
        object instance = Activator.CreateInstance(Type)!;
        foreach ((PropertyInfo property, object? value) in Parameters)
        {
            property.SetValue(instance, value);
        }

        CallAll<GlobalSetupAttribute>(instance);
        return instance;
    }

    /// <summary>Lets go of what <see cref="MakeInstance"/> made.</summary>
    public void Release(object instance) => CallAll<GlobalCleanupAttribute>(instance);

    private static string NameOf(Type type, MethodInfo method, IReadOnlyList<KeyValuePair<PropertyInfo, object?>> parameters)
    {
        string choice = string.Join(", ", parameters.Select(p => string.Create(CultureInfo.InvariantCulture, $"{p.Key.Name}={p.Value}")));
        return $"{type.Name}.{method.Name}{(choice.Length == 0 ? "" : $"({choice})")}";
    }

    private static IEnumerable<KeyValuePair<PropertyInfo, object?>[]> ChoicesOf(Type type)
    {
        IEnumerable<KeyValuePair<PropertyInfo, object?>[]> choices = [[]];
        foreach (PropertyInfo property in type.GetProperties().OrderBy(p => p.Name, StringComparer.Ordinal))
        {
            if (property.GetCustomAttribute<ParamsAttribute>() is { } values)
            {
                choices = choices.SelectMany(c => values.Values.Select(v => c.Append(KeyValuePair.Create(property, v)).ToArray()));
            }
        }

        return choices;
    }

    private void CallAll<TAttribute>(object instance)
        where TAttribute : Attribute
    {
        foreach (MethodInfo method in Type.GetMethods().Where(m => m.IsDefined(typeof(TAttribute))))
        {
            method.Invoke(instance, null);
        }
    }
}
