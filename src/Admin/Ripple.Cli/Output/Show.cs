using System.Globalization;
using Ripple.Admin.Contracts;

namespace Ripple.Cli.Output;

/// <summary>Formats parts of the contracts for display.</summary>
internal static class Show
{
    /// <summary>A time in UTC, to the second.</summary>
    public static string Time(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);

    public static string Time(DateTimeOffset? time, string none) => time is { } at ? Time(at) : none;

    public static string Number(ulong number) => number.ToString(CultureInfo.InvariantCulture);

    public static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>Milliseconds to a tenth; a dash for null.</summary>
    public static string Milliseconds(double? milliseconds) => milliseconds?.ToString("0.0", CultureInfo.InvariantCulture) ?? "-";

    public static string Role(Role role) => role switch
    {
        Admin.Contracts.Role.Admin => "admin",
        Admin.Contracts.Role.Publisher => "publisher",
        _ => "node",
    };

    /// <summary>Roles in the form <c>publisher of shop</c>, separated by commas.</summary>
    public static string Roles(IReadOnlyList<RoleGrant> roles) =>
        roles.Count == 0
            ? "no role"
            : string.Join(", ", roles.Select(r => $"{Role(r.Role)} of {(r.Application == "*" ? "all applications" : r.Application)}"));

    public static string State(NodeState state) => state switch
    {
        NodeState.Present => "present",
        NodeState.Silent => "silent",
        NodeState.Left => "left",
        _ => "failed",
    };

    public static string Kind(KeyChangeKind kind) => kind switch
    {
        KeyChangeKind.Added => "added",
        KeyChangeKind.Changed => "changed",
        KeyChangeKind.Removed => "removed",
        _ => "set",
    };

    public static string FirstLine(string text)
    {
        int end = text.AsSpan().IndexOfAny('\r', '\n');
        return end < 0 ? text : text[..end];
    }
}
