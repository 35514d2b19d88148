namespace Ripple.Engine.Core;

/// <summary>
/// The only source of time for protocol code. Read once per turn by the caller of <see cref="CoreLoop.DoWork"/>; everything below uses
/// <see cref="CoreLoop.NowNs"/>.
/// </summary>
internal interface IClock
{
    /// <summary>Monotonic time in nanoseconds from an arbitrary origin. Never goes backward. Callable from any thread.</summary>
    long NowNs { get; }
}
