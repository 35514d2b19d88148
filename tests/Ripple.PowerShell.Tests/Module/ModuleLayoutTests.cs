using System.Management.Automation;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.Loader;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Ripple.Admin;
using Ripple.PowerShell.Loader;

namespace Ripple.PowerShell.Tests.Module;

/// <summary>The module lies as PowerShell needs it, and its manifest, formats and assemblies agree.</summary>
public sealed class ModuleLayoutTests
{
    private static readonly string Manifest = BuiltModule.Read("Ripple.psd1");

    [Fact]
    public void Beside_the_manifest_are_the_loader_and_texts_alone() =>
        Assert.Equal(
            [
                "LICENSE",
                "Ripple.PowerShell.Loader.dll",
                "Ripple.format.ps1xml",
                "Ripple.psd1",
                "Ripple.psm1",
                "en-US/Ripple.PowerShell.dll-Help.xml",
                "en-US/about_Ripple.help.txt",
            ],
            Files().Where(f => !f.StartsWith("lib/", StringComparison.Ordinal)));

    [Fact]
    public void Lib_holds_the_cmdlets_with_what_they_need_and_nothing_else() =>
        Assert.Equal(
            [
                "lib/Polly.Core.dll",
                "lib/Ripple.Admin.Contracts.dll",
                "lib/Ripple.Admin.dll",
                "lib/Ripple.PowerShell.dll",
                "lib/Ripple.Trust.dll",
            ],
            Files().Where(f => f.StartsWith("lib/", StringComparison.Ordinal)));

    [Fact]
    public void Loader_depends_on_the_runtime_alone() =>
        Assert.DoesNotContain(References("Ripple.PowerShell.Loader.dll"), name => !IsRuntime(name));

    [Fact]
    public void Cmdlets_depend_on_PowerShell_and_on_what_lies_beside_them() =>
        Assert.Equal(
            ["Ripple.Admin", "Ripple.Admin.Contracts", "Ripple.Trust", "System.Management.Automation"],
            References("lib/Ripple.PowerShell.dll")
                .Where(name => name == "System.Management.Automation" || !IsRuntime(name))
                .Order(StringComparer.Ordinal));

    [Fact]
    public void Nothing_in_lib_needs_what_is_not_there()
    {
        string[] present =
            [.. Files().Where(f => f.StartsWith("lib/", StringComparison.Ordinal)).Select(f => Path.GetFileNameWithoutExtension(f))];

        Assert.Empty(
            from file in present
            from name in References($"lib/{file}.dll")
            where name != "System.Management.Automation" && !IsRuntime(name) && !present.Contains(name)
            select $"{file} -> {name}");
    }

    [Fact]
    public void Client_of_lib_loads_in_a_context_of_its_own()
    {
        var library = new LibraryContext(Path.Combine(BuiltModule.Folder, "lib"));
        Assembly admin = library.LoadFromAssemblyName(new AssemblyName("Ripple.Admin"));
        Type client = admin.GetType(typeof(RippleAdminClient).FullName!, throwOnError: true)!;

        // Makes the HTTP stack with its policies, and so loads everything it needs.
        using var made = (IDisposable)client.GetMethod(nameof(RippleAdminClient.Connect))!.Invoke(
            null, [Ripple.Admin.Tests.FakeHost.ConnectionText, null])!;

        Assert.NotSame(typeof(RippleAdminClient), client);
        Assert.Equal(
            ["Polly.Core", "Ripple.Admin", "Ripple.Trust"],
            library.Assemblies.Select(a => a.GetName().Name!).Where(n => n != "Ripple.Admin.Contracts").Order(StringComparer.Ordinal));
        Assert.All(library.Assemblies, a => Assert.Same(library, AssemblyLoadContext.GetLoadContext(a)));
    }

    [Theory]
    [InlineData("RootModule", "'Ripple.psm1'")]
    [InlineData("RequiredAssemblies", "@('Ripple.PowerShell.Loader.dll')")]
    [InlineData("PowerShellVersion", "'7.6'")]
    [InlineData("FormatsToProcess", "@('Ripple.format.ps1xml')")]
    [InlineData("FunctionsToExport", "@()")]
    [InlineData("AliasesToExport", "@()")]
    [InlineData("VariablesToExport", "@()")]
    public void Manifest_says(string name, string value) =>
        Assert.Equal(value, Regex.Match(Manifest, $@"^    {name} = (.+)$", RegexOptions.Multiline).Groups[1].Value.TrimEnd());

    [Fact]
    public void Manifest_exports_every_cmdlet_by_name()
    {
        string list = Regex.Match(Manifest, @"CmdletsToExport = @\(([^)]*)\)").Groups[1].Value;

        Assert.Equal(
            BuiltModule.Cmdlets.Keys, Regex.Matches(list, "'([^']+)'").Select(m => m.Groups[1].Value).Order(StringComparer.Ordinal));
        Assert.Equal(32, BuiltModule.Cmdlets.Count);
    }

    [Fact]
    public void Manifest_has_the_version_of_the_build()
    {
        string version = XDocument.Load(Path.Combine(BuiltModule.Root, "Directory.Build.props")).Descendants("Version").First().Value;
        string[] parts = version.Split('-', 2);

        Assert.Contains($"ModuleVersion = '{parts[0]}'", Manifest, StringComparison.Ordinal);
        // PowerShell takes letters and digits alone there.
        Assert.Contains(
            $"Prerelease = '{(parts.Length > 1 ? parts[1].Replace(".", "", StringComparison.Ordinal) : "")}'",
            Manifest,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Built_assembly_holds_the_cmdlets_that_are_tested_here()
    {
        using var file = new PEReader(File.OpenRead(Path.Combine(BuiltModule.Folder, "lib", "Ripple.PowerShell.dll")));
        MetadataReader metadata = file.GetMetadataReader();
        string[] commands =
        [
            .. metadata.TypeDefinitions.Select(metadata.GetTypeDefinition)
                .Where(
                    t => (t.Attributes & TypeAttributes.Public) != 0
                        && (t.Attributes & TypeAttributes.Abstract) == 0
                        && metadata.GetString(t.Namespace) == "Ripple.PowerShell.Cmdlets")
                .Select(t => metadata.GetString(t.Name)).Order(StringComparer.Ordinal),
        ];

        Assert.Equal(BuiltModule.Cmdlets.Values.Select(t => t.Name).Order(StringComparer.Ordinal), commands);
    }

    [Fact]
    public void Every_object_that_is_written_has_a_table_of_properties_it_has()
    {
        var formats = XDocument.Parse(BuiltModule.Read("Ripple.format.ps1xml"));
        Type[] outputs =
        [
            .. BuiltModule.Cmdlets.Values.SelectMany(t => t.GetCustomAttributes<OutputTypeAttribute>()).SelectMany(o => o.Type).Distinct(),
        ];

        Assert.Equal(
            outputs.Select(o => o.FullName!).Order(StringComparer.Ordinal),
            formats.Descendants("View").Where(v => v.Element("TableControl") is not null).Descendants("TypeName").Select(t => t.Value)
                .Order(StringComparer.Ordinal));
        foreach (XElement view in formats.Descendants("View"))
        {
            Type type = outputs.Single(o => o.FullName == view.Descendants("TypeName").Single().Value);
            Assert.Equal(view.Descendants("TableColumnHeader").Count(), view.Descendants("TableColumnItem").Count());
            string[] named =
            [
                .. view.Descendants("PropertyName").Select(p => p.Value),
                .. view.Descendants("ScriptBlock").SelectMany(s => Regex.Matches(s.Value, @"(?:^|Shown\w*\(|@\(|if \()\$_\.(\w+)")).Select(
                    m => m.Groups[1].Value),
            ];
            Assert.All(named, n => Assert.True(type.GetProperty(n) is not null, $"{type.Name} has no {n}"));
        }
    }

    [Theory]
    [InlineData("RippleNode", "Name", "Zone", "Reason")]
    [InlineData("RippleRegion", "Zone", "Application")]
    [InlineData("RippleConfigValue", "Key", "Value")]
    [InlineData("RippleRelease", "Actor", "Set", "Removed", "Note")]
    [InlineData("RippleWaitResult", "Members")]
    [InlineData("RippleConnection", "Actor", "Roles")]
    [InlineData("RippleDifference", "Key")]
    [InlineData("RippleEdit", "Key", "Pointer", "Before", "After")]
    [InlineData("RippleToken", "Name", "Roles")]
    [InlineData("RippleRole", "Application")]
    [InlineData("RippleSpace", "Application", "Dimension")]
    [InlineData("RippleSubscription", "Subscriber", "Where")]
    [InlineData("RippleEvent", "Point", "Value")]
    [InlineData("RippleEmitted", "Application", "Id")]
    [InlineData("RippleAuditEntry", "Actor", "Action", "Application", "Detail")]
    public void Text_from_others_is_shown_by_what_makes_it_safe(string type, params string[] properties)
    {
        XElement[] views =
        [
            .. XDocument.Parse(BuiltModule.Read("Ripple.format.ps1xml")).Descendants("View")
                .Where(v => v.Descendants("TypeName").Single().Value.EndsWith('.' + type, StringComparison.Ordinal)),
        ];

        // A table, and a list for Format-List.
        Assert.Equal(2, views.Length);
        Assert.All(views, view => Assert.All(properties, property =>
        {
            Assert.DoesNotContain(property, view.Descendants("PropertyName").Select(p => p.Value));
            Assert.Contains(
                view.Descendants("ScriptBlock"),
                s => s.Value.Contains("$_." + property, StringComparison.Ordinal)
                    && s.Value.Contains("[Ripple.PowerShell.Output.RippleText]::Shown", StringComparison.Ordinal));
        }));
        Assert.NotNull(typeof(Ripple.PowerShell.Output.RippleText).GetMethod("ShownLine"));
    }

    private static IEnumerable<string> Files() =>
        Directory.EnumerateFiles(BuiltModule.Folder, "*", SearchOption.AllDirectories)
            .Select(f => Path.GetRelativePath(BuiltModule.Folder, f).Replace('\\', '/'))
            .Order(StringComparer.Ordinal);

    private static string[] References(string file)
    {
        using var image = new PEReader(File.OpenRead(Path.Combine(BuiltModule.Folder, file)));
        MetadataReader metadata = image.GetMetadataReader();
        return [.. metadata.AssemblyReferences.Select(r => metadata.GetString(metadata.GetAssemblyReference(r).Name))];
    }

    private static bool IsRuntime(string name) =>
        File.Exists(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, $"{name}.dll"));
}
