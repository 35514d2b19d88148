using System.Management.Automation;
using System.Reflection;
using System.Xml.Linq;
using Ripple.PowerShell.Pipeline;

namespace Ripple.PowerShell.Tests.Module;

/// <summary>The module as the build laid it out, and the cmdlets it should have.</summary>
internal static class BuiltModule
{
    private static readonly XNamespace Command = "http://schemas.microsoft.com/maml/dev/command/2004/10";
    private static readonly XNamespace Maml = "http://schemas.microsoft.com/maml/2004/10";

    /// <summary>The clone these tests run in.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>The folder that is imported; its name is the module's.</summary>
    public static string Folder { get; } =
        Path.Combine(
            Root, "src", "Admin", "Ripple.PowerShell", "bin", new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name, "module", "Ripple");

    /// <summary>The cmdlets' types, by the names users know.</summary>
    public static SortedDictionary<string, Type> Cmdlets { get; } = new(
        typeof(RippleCmdlet).Assembly.GetTypes()
            .Where(t => t.GetCustomAttribute<CmdletAttribute>() is not null)
            .ToDictionary(t => $"{t.GetCustomAttribute<CmdletAttribute>()!.VerbName}-{t.GetCustomAttribute<CmdletAttribute>()!.NounName}"),
        StringComparer.Ordinal);

    public static TheoryData<string> Names => [.. Cmdlets.Keys];

    public static string Read(string name) => File.ReadAllText(Path.Combine(Folder, name));

    /// <summary>What the help says of a cmdlet.</summary>
    public static XElement? Help(string name) =>
        XDocument.Parse(Read("en-US/Ripple.PowerShell.dll-Help.xml")).Root!.Elements(Command + "command")
            .SingleOrDefault(c => c.Element(Command + "details")!.Element(Command + "name")!.Value == name);

    public static IEnumerable<XElement> HelpParameters(XElement command) =>
        command.Element(Command + "parameters")!.Elements(Command + "parameter");

    public static IEnumerable<XElement> HelpSyntax(XElement command) =>
        command.Element(Command + "syntax")!.Elements(Command + "syntaxItem");

    public static string HelpName(XElement element) => element.Element(Maml + "name")!.Value;

    public static IEnumerable<XElement> SyntaxParameters(XElement item) => item.Elements(Command + "parameter");

    private static string FindRoot()
    {
        DirectoryInfo folder = new(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Ripple.sln")))
        {
            folder = folder.Parent ?? throw new InvalidOperationException("The tests must run inside the repository.");
        }

        return folder.FullName;
    }
}
