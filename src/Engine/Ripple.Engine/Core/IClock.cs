namespace Ripple.Engine.Core;

/// <summary>
/// The only source of time for protocol code. Read once a turn by whoever drives <see cref="CoreLoop.DoWork"/>; everything below uses
/// <see cref="CoreLoop.NowNs"/>.
/// </summary>
internal interface IClock
{
    /// <summary>Nanoseconds on a monotonic scale whose zero means nothing. Never goes back. Callable from any thread.</summary>
    long NowNs { get; }
}
