using System.Collections.Immutable;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Testing.Oracles;

/// <summary>What a publisher means by a publish or a rollback, recorded before anything is sent. Immutable.</summary>
/// <param name="Id">The publish id.</param>
/// <param name="Application">The application.</param>
/// <param name="Changes">The bytes of each key it sets; null for a key it removes. Empty for a rollback.</param>
/// <param name="Expected">The release it must be published on top of.</param>
/// <param name="ExpectedName">The name of that release, if the publisher was told it and expects its generation too; else null.</param>
/// <param name="RollbackTo">The release whose content it brings back; null for a publish.</param>
/// <param name="Note">Its note.</param>
internal sealed record PublishIntent(
    Guid Id,
    string Application,
    ImmutableSortedDictionary<string, byte[]?> Changes,
    ExpectedState Expected,
    string? ExpectedName,
    ulong? RollbackTo,
    string Note)
{
    /// <summary>No changes, with keys in ordinal order.</summary>
    public static ImmutableSortedDictionary<string, byte[]?> NoChanges { get; } =
        ImmutableSortedDictionary.Create<string, byte[]?>(StringComparer.Ordinal);
}
