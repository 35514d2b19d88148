using Ripple.PowerShell.Output;

namespace Ripple.PowerShell.Pipeline;

/// <summary>
/// The connection that cmdlets take when none is given: one per process, shared by parallel runspaces. A cmdlet reads it once, when its
/// pipeline begins. Thread-safe.
/// </summary>
internal static class RippleSession
{
    private static RippleConnection? _default;

    /// <summary>The connection; null before <c>Connect-Ripple</c>, and after one that failed.</summary>
    public static RippleConnection? Default => Volatile.Read(ref _default);

    /// <summary>Replaces the connection, or removes it with null. Cmdlets that run keep theirs.</summary>
    public static void Use(RippleConnection? connection) => Interlocked.Exchange(ref _default, connection);
}
