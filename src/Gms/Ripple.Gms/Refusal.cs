using Ripple.Engine.Protocol;

namespace Ripple.Gms;

/// <summary>Why something that was asked for is refused, and what to do.</summary>
/// <param name="Code">The name of the error.</param>
/// <param name="Text">What was wrong, where, and what to do.</param>
/// <param name="NewestRelease">The application's newest release, where another was expected; else 0.</param>
internal sealed record Refusal(ErrorCode Code, string Text, ulong NewestRelease = 0);
