using Ripple.Engine.Protocol;

namespace Ripple.Gms;

/// <summary>The reason that a request is refused, and the remedy.</summary>
/// <param name="Code">The error code.</param>
/// <param name="Text">The problem, its place and the remedy.</param>
/// <param name="NewestRelease">The application's newest release if another was expected; else 0.</param>
/// <param name="NewestGeneration">Its generation; else 0.</param>
internal sealed record Refusal(ErrorCode Code, string Text, ulong NewestRelease = 0, uint NewestGeneration = 0);
