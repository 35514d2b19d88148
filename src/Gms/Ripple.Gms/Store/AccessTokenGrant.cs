using System.Collections.Immutable;

namespace Ripple.Gms.Store;

/// <summary>A token's role in an application.</summary>
/// <param name="Application">The application's name; <c>*</c> for all, including future ones.</param>
/// <param name="Role">The role there.</param>
internal readonly record struct AccessTokenGrant(string Application, AccessRole Role)
{
    /// <summary>The name that stands for all applications.</summary>
    public const string All = "*";

    /// <summary>
    /// The id of the token that gave the role; null for one that the host or its command gave, or from before it was kept.
    /// </summary>
    public string? MadeBy { get; init; }

    /// <summary>Grants the same role in several applications.</summary>
    public static ImmutableArray<AccessTokenGrant> For(IEnumerable<string> applications, AccessRole role, string? madeBy = null) =>
        [.. applications.Select(a => new AccessTokenGrant(a, role) { MadeBy = madeBy })];
}
