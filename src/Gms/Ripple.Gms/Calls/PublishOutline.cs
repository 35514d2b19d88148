using System.Collections.Immutable;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Calls;

/// <summary>What a publish would do if it were ordered now. Immutable.</summary>
/// <param name="Newest">The state it would be ordered on.</param>
/// <param name="Changes">What it would change; also what is so already.</param>
/// <param name="Members">Whom it would reach.</param>
internal sealed record PublishOutline(ReleaseState Newest, ImmutableArray<KeyChange> Changes, IReadOnlyList<MemberRecord> Members);
