using System.Management.Automation;
using System.Reflection;
using System.Runtime.Loader;

namespace Ripple.PowerShell.Loader;

/// <summary>
/// Runs when the module is imported, before the cmdlets' assembly is looked at: from then on the admin client is found in <c>lib</c>, where
/// PowerShell does not look. References nothing but PowerShell, for it is what makes other references resolve.
/// </summary>
public sealed class ModuleHook : IModuleAssemblyInitializer
{
    private static readonly Lock Gate = new();
    private static LibraryContext? _library;

    /// <summary>Begins to resolve; once in a process, however many runspaces import the module.</summary>
    public void OnImport()
    {
        lock (Gate)
        {
            if (_library is null)
            {
                _library = new LibraryContext(Path.Combine(Path.GetDirectoryName(typeof(ModuleHook).Assembly.Location)!, "lib"));
                AssemblyLoadContext.Default.Resolving += Resolve;
            }
        }
    }

    /// <summary>Only what the cmdlets themselves name; what those need is the library context's business.</summary>
    private static Assembly? Resolve(AssemblyLoadContext context, AssemblyName name) =>
        name.Name is "Ripple.Admin" or "Ripple.Admin.Contracts" or "Ripple.Trust" ? _library!.LoadFromAssemblyName(name) : null;
}
