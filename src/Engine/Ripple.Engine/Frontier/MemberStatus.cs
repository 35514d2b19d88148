namespace Ripple.Engine.Frontier;

/// <summary>What is known of a member's being there.</summary>
internal enum MemberStatus
{
    /// <summary>It takes part.</summary>
    Present,

    /// <summary>It was skipped by its ring or missed heartbeats. For display: it counts like a present one.</summary>
    Silent,

    /// <summary>It left in good order. Final for the incarnation.</summary>
    Left,

    /// <summary>It was removed as failed. Final for the incarnation.</summary>
    Failed,
}
