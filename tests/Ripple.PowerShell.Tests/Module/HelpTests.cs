using System.Management.Automation;
using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Tests.Module;

/// <summary>What Get-Help tells is what the cmdlets take.</summary>
public sealed class HelpTests
{
    [Fact]
    public void Help_is_of_the_cmdlets_and_no_others() =>
        Assert.Equal(
            BuiltModule.Cmdlets.Keys,
            XDocument.Parse(BuiltModule.Read("en-US/Ripple.PowerShell.dll-Help.xml")).Root!.Elements().Select(
                c => c.Elements().First().Elements().First().Value).Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(BuiltModule.Names), MemberType = typeof(BuiltModule))]
    public void Every_cmdlet_has_examples_that_use_it(string name)
    {
        XElement help = BuiltModule.Help(name)!;
        string[] code = [.. help.Descendants().Where(e => e.Name.LocalName == "code").Select(e => e.Value)];

        Assert.True(code.Length >= 2, $"{name} has {code.Length} examples");
        Assert.All(code, c => Assert.Contains(name, c, StringComparison.Ordinal));
        Assert.All(help.Descendants().Where(e => e.Name.LocalName is "para" or "title"), e => Assert.True(e.Value.Length > 10, e.Value));
    }

    [Theory]
    [MemberData(nameof(BuiltModule.Names), MemberType = typeof(BuiltModule))]
    public void Every_example_uses_parameters_that_there_are(string name)
    {
        Type cmdlet = BuiltModule.Cmdlets[name];
        string[] parameters = [.. TestParameters(cmdlet), "WhatIf", "Confirm"];
        foreach (string code in BuiltModule.Help(name)!.Descendants().Where(e => e.Name.LocalName == "code").Select(e => e.Value))
        {
            string own = Regex.Match(code, $@"{name}\b[^|\n]*").Value;
            Assert.All(
                Regex.Matches(Regex.Replace(own, "'[^']*'|\"[^\"]*\"", "''"), @" -([A-Z]\w+)"),
                m => Assert.Contains(m.Groups[1].Value, parameters));
        }
    }

    [Theory]
    [MemberData(nameof(BuiltModule.Names), MemberType = typeof(BuiltModule))]
    public void Every_parameter_is_described_as_it_is(string name)
    {
        Type cmdlet = BuiltModule.Cmdlets[name];
        bool isChange = cmdlet.GetCustomAttribute<CmdletAttribute>()!.SupportsShouldProcess;
        var told = BuiltModule.HelpParameters(BuiltModule.Help(name)!).ToDictionary(BuiltModule.HelpName);

        Assert.Equal(
            TestParameters(cmdlet).Concat(isChange ? ["WhatIf", "Confirm"] : []).Order(StringComparer.Ordinal),
            told.Keys.Order(StringComparer.Ordinal));
        foreach (PropertyInfo property in Tests.Engine.TestPipeline.Parameters(cmdlet))
        {
            XElement help = told[property.Name];
            ParameterAttribute[] attributes = [.. property.GetCustomAttributes<ParameterAttribute>()];
            Assert.Equal(
                attributes.Any(a => a.ValueFromPipeline) ? "true (ByValue)"
                    : attributes.Any(a => a.ValueFromPipelineByPropertyName) ? "true (ByPropertyName)" : "false",
                help.Attribute("pipelineInput")!.Value);
            Assert.Equal(attributes[0].Mandatory ? "true" : "false", help.Attribute("required")!.Value);
            Assert.Equal(attributes[0].Position >= 0 ? $"{attributes[0].Position}" : "named", help.Attribute("position")!.Value);
            Assert.Equal(property.IsDefined(typeof(SupportsWildcardsAttribute)) ? "true" : "false", help.Attribute("globbing")!.Value);
            Assert.Equal(
                property.GetCustomAttribute<AliasAttribute>() is { } alias ? string.Join(", ", alias.AliasNames) : "none",
                help.Attribute("aliases")!.Value);
            Type type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
            Assert.Equal(type.Name, help.Descendants().Last(e => e.Name.LocalName == "name").Value);
        }
    }

    [Theory]
    [MemberData(nameof(BuiltModule.Names), MemberType = typeof(BuiltModule))]
    public void Every_parameter_set_has_its_syntax(string name)
    {
        Type cmdlet = BuiltModule.Cmdlets[name];
        string[] sets =
        [
            .. Tests.Engine.TestPipeline.Parameters(cmdlet).SelectMany(
                p => p.GetCustomAttributes<ParameterAttribute>()).Select(a => a.ParameterSetName)
                .Where(s => s != ParameterAttribute.AllParameterSets).Distinct(),
        ];
        XElement[] syntax = [.. BuiltModule.HelpSyntax(BuiltModule.Help(name)!)];
        string[] extra = cmdlet.GetCustomAttribute<CmdletAttribute>()!.SupportsShouldProcess ? ["WhatIf", "Confirm"] : [];

        Assert.Equal(Math.Max(1, sets.Length), syntax.Length);
        foreach (string set in sets.DefaultIfEmpty(ParameterAttribute.AllParameterSets))
        {
            string[] expected =
            [
                .. Tests.Engine.TestPipeline.Parameters(cmdlet)
                    .Where(
                        p => p.GetCustomAttributes<ParameterAttribute>()
                            .Any(a => a.ParameterSetName == set || a.ParameterSetName == ParameterAttribute.AllParameterSets))
                    .Select(p => p.Name),
                .. extra,
            ];
            Assert.Contains(
                syntax,
                s => BuiltModule.SyntaxParameters(s)
                    .Select(BuiltModule.HelpName)
                    .Order(StringComparer.Ordinal)
                    .SequenceEqual(expected.Order(StringComparer.Ordinal)));
        }
    }

    [Fact]
    public void About_names_every_cmdlet_and_every_error()
    {
        string about = BuiltModule.Read("en-US/about_Ripple.help.txt");
        string[] codes = [.. new[]
        {
            typeof(ProblemCodes),
            typeof(ErrorCodes),
        }.SelectMany(t => t.GetFields()).Where(f => f.IsLiteral).Select(f => (string)f.GetRawConstantValue()!)];

        Assert.All(BuiltModule.Cmdlets.Keys, name => Assert.Contains(name, about, StringComparison.Ordinal));
        Assert.Equal(
            codes.Select(ErrorCodes.Id).Order(StringComparer.Ordinal),
            Regex.Matches(about, @"^        (Ripple\.\w+)", RegexOptions.Multiline)
                .Select(m => m.Groups[1].Value)
                .Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Help_of_undo_says_what_to_do_where_nobody_can_answer() =>
        Assert.Contains("-Confirm:$false", BuiltModule.Help("Undo-RippleRelease")!.ToString(), StringComparison.Ordinal);

    private static IEnumerable<string> TestParameters(Type cmdlet) => Tests.Engine.TestPipeline.Parameters(cmdlet).Select(p => p.Name);
}
