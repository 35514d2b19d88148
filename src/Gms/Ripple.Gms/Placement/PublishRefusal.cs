using Ripple.Engine.Control;

namespace Ripple.Gms.Placement;

/// <summary>Why a publish was refused, and what to do.</summary>
/// <param name="Code">The name of the error.</param>
/// <param name="Text">What was wrong, where, and what to do.</param>
public sealed record PublishRefusal(ErrorCode Code, string Text);
