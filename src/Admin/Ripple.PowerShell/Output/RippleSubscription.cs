using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>A subscription that would get an event.</summary>
public sealed class RippleSubscription
{
    internal RippleSubscription(string application, SpaceSubscription subscription)
    {
        Application = application;
        Subscriber = subscription.Subscriber;
        Subscription = subscription.Subscription;
        Where = subscription.Where;
        IsConnected = subscription.IsConnected;
        WaitingCount = subscription.WaitingCount;
        Blocks = subscription.Blocks;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The id of a node, or the token of who subscribes over HTTP.</summary>
    public string Subscriber { get; }

    /// <summary>The number of the subscription there.</summary>
    public uint Subscription { get; }

    /// <summary>Its ranges, each as <c>price=10..20</c>; a dimension that is not there is open.</summary>
    public IReadOnlyList<string> Where { get; }

    /// <summary>Whether the subscriber has a connection now.</summary>
    public bool IsConnected { get; }

    /// <summary>The events that wait for the subscriber.</summary>
    public int WaitingCount { get; }

    /// <summary>Whether emitters wait for it where its queue is full.</summary>
    public bool Blocks { get; }
}
