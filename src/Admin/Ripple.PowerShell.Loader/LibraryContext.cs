using System.Reflection;
using System.Runtime.Loader;

namespace Ripple.PowerShell.Loader;

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
