using System.Collections.Immutable;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Calls;

/// <summary>The effect of a publish if it were ordered now. Immutable.</summary>
/// <param name="Newest">The state it would apply to.</param>
/// <param name="Changes">The changes, including those that have no effect.</param>
/// <param name="Members">The members it would reach.</param>
internal sealed record PublishOutline(ReleaseState Newest, ImmutableArray<KeyChange> Changes, IReadOnlyList<MemberRecord> Members);
