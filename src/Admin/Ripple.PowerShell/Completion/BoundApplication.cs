using System.Collections;

namespace Ripple.PowerShell.Completion;

/// <summary>The application on the command line that is being typed.</summary>
internal static class BoundApplication
{
    /// <summary>Null when none is given, or one that is not plain.</summary>
    public static string? Of(IDictionary? bound) => bound?["Application"] switch
    {
        string text => text,
        object[] { Length: 1 } several => several[0] as string,
        _ => null,
    };
}
