using Ripple.Admin.Contracts;

namespace Ripple.Admin.Editing;

/// <summary>What an edit of a key would do.</summary>
/// <param name="Release">The release that was read.</param>
/// <param name="Outcome">The value of the key after the edit, and what would change in it.</param>
/// <param name="Plan">The nodes it would reach, from the host that checked it; null if nothing would change.</param>
public sealed record KeyEditPlan(ReleaseNumber Release, JsonEditOutcome Outcome, PublishPlan? Plan);
