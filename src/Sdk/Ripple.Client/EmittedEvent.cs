namespace Ripple.Client;

/// <summary>What became of an event.</summary>
/// <param name="Id">Its name.</param>
/// <param name="Stage">How far it was when this was told.</param>
/// <param name="Subscribers">The subscribers it was given to; not all yet, if it is only accepted.</param>
public sealed record EmittedEvent(RippleEventId Id, EmitUntil Stage, int Subscribers);
