namespace Ripple.Admin.Contracts;

/// <summary>What became of an event.</summary>
public sealed record EmittedEvent
{
    /// <summary>Its name, as subscribers see it.</summary>
    public required string Id { get; init; }

    /// <summary>How far it was when this was told.</summary>
    public required EmitStage Stage { get; init; }

    /// <summary>The subscribers it was given to; not all yet, if it is only accepted.</summary>
    public required int SubscriberCount { get; init; }
}
