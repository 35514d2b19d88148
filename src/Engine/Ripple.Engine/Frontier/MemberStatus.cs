namespace Ripple.Engine.Frontier;

/// <summary>Whether a member takes part, as far as is known.</summary>
internal enum MemberStatus
{
    /// <summary>It takes part.</summary>
    Present,

    /// <summary>It was skipped by its ring or missed heartbeats. For display only: it counts as present.</summary>
    Silent,

    /// <summary>It left in good order. Final for the incarnation.</summary>
    Left,

    /// <summary>It was removed as failed. Final for the incarnation.</summary>
    Failed,
}
