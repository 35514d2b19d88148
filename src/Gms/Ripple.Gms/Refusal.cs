using Ripple.Engine.Protocol;

namespace Ripple.Gms;

/// <summary>Why a publish was refused, and what to do.</summary>
/// <param name="Code">The name of the error.</param>
/// <param name="Text">What was wrong, where, and what to do.</param>
public sealed record Refusal(ErrorCode Code, string Text);
