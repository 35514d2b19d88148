using System.Reflection;

namespace Ripple.Architecture.Tests;

/// <summary>Arrows between projects point one way: Engine, Transports, then Gms and Client, then what stands on them.</summary>
public sealed class ReferenceDirectionTests
{
    private static readonly string[] Engine = ["Ripple.Engine"];
    private static readonly string[] Transports = [.. Engine, "Ripple.Trust", "Ripple.Transports"];
    private static readonly string[] Admin = ["Ripple.Trust", "Ripple.Admin.Contracts", "Ripple.Admin"];

    /// <summary>
    /// What each project may reference. Client and everything of Admin never know the Gms; Admin knows its contracts, and whom to trust,
    /// alone.
    /// </summary>
    private static readonly Dictionary<string, string[]> Allowed = new(StringComparer.Ordinal)
    {
        ["Ripple.Engine"] = [],
        ["Ripple.Trust"] = [],
        ["Ripple.Transports"] = [.. Engine, "Ripple.Trust"],
        ["Ripple.Gms"] = [.. Transports, "Ripple.Admin.Contracts"],
        ["Ripple.Gms.Host"] = [.. Transports, "Ripple.Gms", "Ripple.Admin.Contracts"],
        ["Ripple.Client"] = Transports,
        ["Ripple.Extensions.Hosting"] = [.. Transports, "Ripple.Client"],
        ["Ripple.Extensions.ServiceDiscovery"] = [.. Transports, "Ripple.Client", "Ripple.Extensions.Hosting"],
        ["Ripple.Admin.Contracts"] = [],
        ["Ripple.Admin"] = ["Ripple.Admin.Contracts", "Ripple.Trust"],
        ["Ripple.Cli"] = Admin,
        ["Ripple.PowerShell"] = [.. Admin, "Ripple.PowerShell.Loader"],
        ["Ripple.PowerShell.Loader"] = [],
    };

    [Fact]
    public void Every_project_of_src_has_its_place_in_the_order() =>
        Rule.Holds(Repository.SourceProjects.Select(p => p.Name).Where(name => !Allowed.ContainsKey(name)));

    [Fact]
    public void Project_files_reference_only_what_lies_below_them() =>
        Rule.Holds(
            from project in Repository.SourceProjects
            from reference in project.References
            where !Allowed.GetValueOrDefault(project.Name, []).Contains(reference)
            select $"{project.Name} -> {reference}");

    [Fact]
    public void Nothing_in_src_references_tests_benchmarks_or_samples() =>
        Rule.Holds(
            from project in Repository.SourceProjects
            from path in project.ReferencePaths
            where !path.StartsWith("src/", StringComparison.Ordinal)
            select $"{project.Name} -> {path}");

    [Fact]
    public void Compiled_assemblies_use_only_what_lies_below_them() =>
        Rule.Holds(
            from project in Repository.SourceProjects
            from used in Assembly.Load(project.Name).GetReferencedAssemblies()
            where used.Name!.StartsWith("Ripple.", StringComparison.Ordinal)
                && !Allowed.GetValueOrDefault(project.Name, []).Contains(used.Name)
            select $"{project.Name} -> {used.Name}");

    [Fact]
    public void The_engine_uses_nothing_but_the_runtime() =>
        Rule.Holds(
            Assembly.Load("Ripple.Engine").GetReferencedAssemblies().Select(a => a.Name!).Where(
                name => !name.StartsWith("System.", StringComparison.Ordinal)));
}
