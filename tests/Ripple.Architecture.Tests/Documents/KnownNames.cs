using System.Reflection;
using System.Text.RegularExpressions;

namespace Ripple.Architecture.Tests.Documents;

/// <summary>
/// Types and members of the repository. Those of src and of the simulator come from the compiled assemblies, hidden ones and inherited ones
/// included; those of tests, benchmarks, samples and the PowerShell module, which are not loaded here, from their source.
/// </summary>
internal sealed partial class KnownNames
{
    private const BindingFlags Everything =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.FlattenHierarchy;

    private const string Module = "src/Admin/Ripple.PowerShell";
    private const string Simulator = "tests/Ripple.Simulator";

    private readonly Dictionary<string, HashSet<string>> _membersByType = new(StringComparer.Ordinal);
    private readonly HashSet<string> _members = new(StringComparer.Ordinal);
    private readonly HashSet<string> _identifiers = new(StringComparer.Ordinal);
    private readonly HashSet<string> _namespaces = new(StringComparer.Ordinal);

    public KnownNames()
    {
        foreach (SourceProject project in Repository.Projects)
        {
            AddNamespace(project.Name);
        }

        foreach (SourceProject project in Repository.SourceProjects.Where(
            p => !p.RelativeFolder.StartsWith(Module, StringComparison.Ordinal)))
        {
            AddAssembly(Assembly.Load(project.Name));
        }

        AddAssembly(Assembly.Load(Path.GetFileName(Simulator)));

        foreach (string file in Repository.Files("*.cs"))
        {
            string path = Repository.Relative(file);
            bool isLoaded = path.StartsWith($"{Simulator}/", StringComparison.Ordinal)
                || (path.StartsWith("src/", StringComparison.Ordinal) && !path.StartsWith(Module, StringComparison.Ordinal));
            AddSource(SourceText.CodeOnly(File.ReadAllText(file)), isDeclaring: !isLoaded);
        }
    }

    /// <summary>A type, a member of any type, or a part of a namespace.</summary>
    public bool IsKnown(string name) => IsType(name) || IsMember(name) || _namespaces.Contains(name);

    public bool IsType(string name) => _membersByType.ContainsKey(name);

    public bool IsMember(string name) => _members.Contains(name);

    public bool IsMember(string type, string name) => _membersByType[type].Contains(name);

    public bool IsNamespace(string name) => _namespaces.Contains(name);

    /// <summary>Any word of the code: parameters and locals too.</summary>
    public bool IsIdentifier(string name) => _identifiers.Contains(name);

    private void AddAssembly(Assembly assembly)
    {
        foreach (Type type in assembly.GetTypes().Where(t => !t.Name.Contains('<', StringComparison.Ordinal)))
        {
            HashSet<string> members = MembersOf(type.Name.Split('`')[0]);
            AddNamespace(type.Namespace ?? string.Empty);
            foreach (MemberInfo member in type.GetMembers(Everything))
            {
                Add(members, member.Name.Split('.')[^1].Split('`')[0]);
            }
        }
    }

    private void AddSource(string code, bool isDeclaring)
    {
        foreach (Match word in Word().Matches(code))
        {
            _identifiers.Add(word.Value);
        }

        if (!isDeclaring)
        {
            return;
        }

        string[] declared = [.. Declared().Matches(code).Select(m => m.Groups[1].Value)];
        foreach (Match type in DeclaredType().Matches(code))
        {
            HashSet<string> members = MembersOf(type.Groups[1].Value);
            foreach (string name in declared)
            {
                Add(members, name);
            }
        }
    }

    private HashSet<string> MembersOf(string type)
    {
        if (!_membersByType.TryGetValue(type, out HashSet<string>? members))
        {
            _membersByType.Add(type, members = new HashSet<string>(StringComparer.Ordinal));
        }

        return members;
    }

    private void Add(HashSet<string> members, string name)
    {
        members.Add(name);
        _members.Add(name);
    }

    private void AddNamespace(string name)
    {
        _namespaces.Add(name);
        _namespaces.UnionWith(name.Split('.'));
    }

    [GeneratedRegex(@"[A-Za-z_]\w*")]
    private static partial Regex Word();

    [GeneratedRegex(@"\b(?:class|record struct|record|struct|interface|enum)\s+([A-Z]\w*)")]
    private static partial Regex DeclaredType();

    [GeneratedRegex(@"(?<=[\w>\]?])\s+([A-Z]\w*)\s*(?:[({;]|=>|=(?!=))")]
    private static partial Regex Declared();
}
