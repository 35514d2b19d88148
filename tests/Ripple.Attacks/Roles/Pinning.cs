using System.Diagnostics;
using System.Globalization;

namespace Ripple.Attacks.Roles;

/// <summary>Binds this process to one processor.</summary>
internal static class Pinning
{
    public static void To(string core)
    {
        if (OperatingSystem.IsLinux())
        {
            using var self = Process.GetCurrentProcess();
            self.ProcessorAffinity = (nint)(1L << int.Parse(core, CultureInfo.InvariantCulture));
        }
    }
}
