namespace Ripple.Engine.Releases;

/// <summary>
/// The names of companion applications, whose releases are the definitions of an application: <c>$shop</c> is that of <c>shop</c>
/// (docs/design/definitions.md). Nobody makes, grants or joins one; it comes with the first definition.
/// </summary>
internal static class CompanionName
{
    private const char Mark = '$';

    /// <summary>The companion of an application.</summary>
    public static string Of(string application) => Mark + application;

    /// <summary>Whose companion it is; null if it is none.</summary>
    public static string? OwnerOf(string application) => application.StartsWith(Mark) ? application[1..] : null;

    /// <summary>Checks the application that a release belongs to: an ordinary one, or a companion.</summary>
    public static string? CheckReleased(string? application) =>
        ReleaseNames.CheckApplication(application is not null ? OwnerOf(application) ?? application : null);
}
