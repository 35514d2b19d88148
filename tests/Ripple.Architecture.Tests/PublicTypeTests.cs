using System.Reflection;
using System.Runtime.CompilerServices;

namespace Ripple.Architecture.Tests;

/// <summary>
/// What breaks users and is in no PublicAPI file, which have names and signatures alone: whether a type is sealed, what it derives from and
/// implements, and which members must be set.
/// </summary>
public sealed class PublicTypeTests
{
    private const string Record = "tests/Ripple.Architecture.Tests/PublicTypes.txt";

    [Fact]
    public void Public_types_are_what_is_checked_in()
    {
        string[] now =
        [
            .. Repository.SourceProjects.Where(p => p.IsPackable)
                .SelectMany(p => Assembly.Load(p.Name).GetExportedTypes())
                .Where(t => !t.IsEnum || t.IsDefined(typeof(FlagsAttribute)))
                .Select(LineOf)
                .Order(StringComparer.Ordinal),
        ];
        string[] before = File.ReadAllLines(Repository.PathOf(Record));

        Assert.NotEmpty(now);
        Rule.Holds(
            [
                .. before.Except(now).Select(l => $"{Record} has, and no package: {l}"),
                .. now.Except(before).Select(l => $"{Record} lacks: {l}"),
            ]);
    }

    private static string LineOf(Type type)
    {
        IEnumerable<string> parents =
            type.IsEnum ? [] : type.GetInterfaces().Where(i => i.IsVisible).Select(i => $"+ {i}").Order(StringComparer.Ordinal);
        if (type.BaseType is { } parent && parent != typeof(object) && parent != typeof(ValueType) && !type.IsEnum)
        {
            parents = parents.Prepend($": {parent}");
        }

        IEnumerable<string> required =
            from member in type.GetMembers()
            where member.IsDefined(typeof(RequiredMemberAttribute))
            orderby member.Name
            select $"! {member.Name}";
        return string.Join(' ', [$"{type}", KindOf(type), .. parents, .. required]);
    }

    private static string KindOf(Type type) => type switch
    {
        { IsInterface: true } => "interface",
        { IsEnum: true } => "flags",
        { IsValueType: true } => type.IsDefined(typeof(IsReadOnlyAttribute)) ? "readonly struct" : "struct",
        { IsAbstract: true, IsSealed: true } => "static class",
        { IsAbstract: true } => "abstract class",
        { IsSealed: true } => "sealed class",
        _ => "class",
    };
}
