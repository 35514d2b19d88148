using System.Reflection;
using System.Runtime.Loader;

namespace Ripple.PowerShell.Loader;

/// <summary>
/// Loads the cmdlets when the module is imported: from <c>lib</c>, where PowerShell does not look, into a context of their own. References
/// the runtime alone, because it is what makes other references resolve. Thread-safe.
/// </summary>
public static class ModuleLibrary
{
    private static readonly Lazy<Assembly> Cmdlets = new(LoadCmdlets);

    /// <summary>The assembly of the cmdlets: one per process, even if several runspaces or copies of the module ask for it.</summary>
    public static Assembly Load() => Cmdlets.Value;

    private static Assembly LoadCmdlets()
    {
        string folder = Path.Combine(Path.GetDirectoryName(typeof(ModuleLibrary).Assembly.Location)!, "lib");
        return new LibraryContext(folder).LoadFromAssemblyPath(Path.Combine(folder, "Ripple.PowerShell.dll"));
    }
}

/// <summary>
/// Holds the cmdlets, the admin client and its dependencies, isolated from the copies of the same libraries in PowerShell, in other modules
/// and in the session.
/// </summary>
/// <param name="folder">The folder that contains them.</param>
internal sealed class LibraryContext(string folder) : AssemblyLoadContext("Ripple")
{
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        string path = Path.Combine(folder, assemblyName.Name + ".dll");
        // Libraries not found here are left to the runtime.
        return File.Exists(path) ? LoadFromAssemblyPath(path) : null;
    }
}
