using System.Collections.Immutable;

namespace Ripple.Gms.Store;

/// <summary>What a token is good for in an application.</summary>
/// <param name="Application">The application's name; <c>*</c> for all, also those to come.</param>
/// <param name="Role">What it is good for there.</param>
internal readonly record struct AccessTokenGrant(string Application, AccessRole Role)
{
    /// <summary>The name that stands for all applications.</summary>
    public const string All = "*";

    /// <summary>The same role in several applications.</summary>
    public static ImmutableArray<AccessTokenGrant> For(IEnumerable<string> applications, AccessRole role) =>
        [.. applications.Select(a => new AccessTokenGrant(a, role))];
}
