namespace Ripple.Gms;

/// <summary>Reasons for removing a member.</summary>
internal enum RemovalCause
{
    /// <summary>It left, or the host is stopping.</summary>
    Left,

    /// <summary>Its connection broke, its heartbeats stopped, it broke the protocol, or it did not read.</summary>
    Failed,

    /// <summary>Its token was revoked, expired or no longer grants its applications; the region is rekeyed.</summary>
    Expelled,

    /// <summary>It joined again over another connection.</summary>
    Replaced,
}
