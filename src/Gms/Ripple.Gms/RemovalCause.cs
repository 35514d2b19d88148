namespace Ripple.Gms;

/// <summary>Why a member is no longer one.</summary>
internal enum RemovalCause
{
    /// <summary>It said that it leaves.</summary>
    Left,

    /// <summary>Its connection broke, or its heartbeats stopped.</summary>
    Failed,

    /// <summary>Its token was revoked: the region's key changes.</summary>
    Expelled,

    /// <summary>It joined again by another connection.</summary>
    Replaced,
}
