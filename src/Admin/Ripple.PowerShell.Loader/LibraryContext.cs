using System.Reflection;
using System.Runtime.Loader;

namespace Ripple.PowerShell.Loader;

/// <summary>The admin client and what it needs, apart from PowerShell's and other modules' copies of the same libraries.</summary>
/// <param name="folder">Where they are.</param>
internal sealed class LibraryContext(string folder) : AssemblyLoadContext("Ripple")
{
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        string path = Path.Combine(folder, assemblyName.Name + ".dll");
        // What is not there is the runtime's.
        return File.Exists(path) ? LoadFromAssemblyPath(path) : null;
    }
}
