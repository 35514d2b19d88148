using System.Management.Automation;
using System.Reflection;
using System.Runtime.Loader;

namespace Ripple.PowerShell.Loader;

/// <summary>
/// Runs when the module is imported, before the cmdlets' assembly is inspected: from then on the admin client is resolved from <c>lib</c>,
/// where PowerShell does not look. References only PowerShell, because it is what makes other references resolve.
/// </summary>
public sealed class ModuleHook : IModuleAssemblyInitializer
{
    private static readonly Lock LoadLock = new();
    private static LibraryContext? _library;

    /// <summary>Starts resolving; only once per process, even if several runspaces import the module.</summary>
    public void OnImport()
    {
        lock (LoadLock)
        {
            if (_library is null)
            {
                _library = new LibraryContext(Path.Combine(Path.GetDirectoryName(typeof(ModuleHook).Assembly.Location)!, "lib"));
                AssemblyLoadContext.Default.Resolving += Resolve;
            }
        }
    }

    /// <summary>Resolves only the assemblies the cmdlets reference directly; the library context resolves their dependencies.</summary>
    private static Assembly? Resolve(AssemblyLoadContext context, AssemblyName name) =>
        name.Name is "Ripple.Admin" or "Ripple.Admin.Contracts" or "Ripple.Trust" ? _library!.LoadFromAssemblyName(name) : null;
}

/// <summary>
/// Loads the admin client and its dependencies, isolated from the copies of the same libraries in PowerShell and other modules.
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
