using System.Collections;

namespace Ripple.PowerShell.Completion;

/// <summary>The application on the command line being typed.</summary>
internal static class BoundApplication
{
    /// <summary>Null if none is given, or it is not a single string.</summary>
    public static string? Of(IDictionary? bound) => bound?["Application"] switch
    {
        string text => text,
        object[] { Length: 1 } several => several[0] as string,
        _ => null,
    };
}
