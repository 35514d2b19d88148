namespace Ripple.Gms;

/// <summary>Core time per second, as the host estimates it.</summary>
/// <param name="CallNsPerSecond">For calls, in nanoseconds; beyond it they are refused as busy.</param>
/// <param name="FrameNsPerSecond">For the frames themselves, calls or not, in nanoseconds; beyond it they wait, and then the sender does.
/// </param>
internal readonly record struct SpendingLimits(long CallNsPerSecond, long FrameNsPerSecond);
