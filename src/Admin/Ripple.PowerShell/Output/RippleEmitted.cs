using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>What became of an event.</summary>
public sealed class RippleEmitted
{
    internal RippleEmitted(string application, EmittedEvent emitted)
    {
        Application = application;
        Id = emitted.Id;
        Stage = emitted.Stage;
        SubscriberCount = emitted.SubscriberCount;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>Its name, as subscribers see it.</summary>
    public string Id { get; }

    /// <summary>How far it was when this was told.</summary>
    public EmitStage Stage { get; }

    /// <summary>The subscribers it was given to; not all yet, if it is only accepted.</summary>
    public int SubscriberCount { get; }
}
